// SPDX-License-Identifier: Apache-2.0
#include "tests/support/answer_schema.hpp"

#include <algorithm>
#include <boost/json/kind.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "core/scheduling/methods/method_table.hpp"

namespace gantry::support {

namespace {

const json::object& schemas() {
  static const auto frame = [] {
    std::ifstream file(GANTRY_OPENAPI_FRAME);
    auto read = json::parse_object(std::string{std::istreambuf_iterator<char>(file), {}});
    if (!read) throw std::runtime_error("openapi_frame.json: " + read.error().message);
    return *std::move(read);
  }();
  return frame.at("components").at("schemas").as_object();
}

json::object reference(std::string_view name) {
  return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

// nullopt: there is no such method.
std::optional<json::object> schema_of(std::string_view method) {
  const auto* row = scheduling::find_method(method);
  if (row == nullptr) return std::nullopt;
  if (!row->result.starts_with('[')) return reference(row->result);
  return json::object{{"type", "array"}, {"items", reference(row->result.substr(1, row->result.size() - 2))}};
}

const json::object& resolved(const json::object& schema) {
  const auto name = json::find_string(schema, "$ref");
  return name ? resolved(schemas().at(name->substr(name->rfind('/') + 1)).as_object()) : schema;
}

std::vector<std::string> types_of(const json::object& schema) {
  if (const auto one = json::find_string(schema, "type")) return {std::string(*one)};
  std::vector<std::string> types;
  if (const auto* list = json::find_array(schema, "type"))
    for (const auto& each : *list) types.emplace_back(each.as_string());
  return types;
}

std::string type_of(const json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return "integer";
    case boost::json::kind::double_: return "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
  }
  return "";
}

bool fits(const std::string& found, const std::vector<std::string>& types) {
  return types.empty() || std::ranges::any_of(types, [&found](const auto& type) {
           return type == found || (type == "number" && found == "integer");
         });
}

using Lines = std::vector<std::string>;

Lines invented(const json::object& schema, const json::value& value, const std::string& where);

void append(Lines& to, Lines more) {
  std::ranges::move(more, std::back_inserter(to));
}

Lines invented_in_members(const json::object& schema, const json::object& object, const std::string& where) {
  Lines lines;
  const auto* properties = json::find_object(schema, "properties");
  for (const auto& [key, value] : object) {
    const auto name = where + "." + std::string(key);
    if (const auto* known = properties == nullptr ? nullptr : json::find_object(*properties, key))
      append(lines, invented(*known, value, name));
    else if (const auto* others = json::find_object(schema, "additionalProperties"))
      append(lines, invented(*others, value, name));
    else if (!json::find_bool(schema, "additionalProperties").value_or(true))
      lines.push_back(name + " is no member of the daemon's answer");
  }
  return lines;
}

Lines invented(const json::object& given, const json::value& value, const std::string& where) {
  const auto& schema = resolved(given);
  if (const auto* alternatives = json::find_array(schema, "anyOf")) {
    std::optional<Lines> fewest;
    for (const auto& each : *alternatives) {
      auto lines = invented(each.as_object(), value, where);
      if (!fewest || lines.size() < fewest->size()) fewest = std::move(lines);
    }
    return fewest.value_or(Lines());
  }
  const auto found = type_of(value);
  if (const auto types = types_of(schema); !fits(found, types))
    return {where + ": the daemon answers with the type " + types.front() + ", not " + found};
  if (const auto* choices = json::find_array(schema, "enum");
      choices != nullptr && std::ranges::find(*choices, value) == choices->end())
    return {where + ": the daemon never answers " + json::write(value)};
  Lines lines;
  if (value.is_object()) lines = invented_in_members(schema, value.get_object(), where);
  const auto* items = json::find_object(schema, "items");
  if (value.is_array() && items != nullptr)
    for (const auto& item : value.get_array()) append(lines, invented(*items, item, where + "[]"));
  return lines;
}

json::value whole(const json::object& given);

json::value whole_object(const json::object& schema) {
  json::object made;
  const auto* properties = json::find_object(schema, "properties");
  if (properties != nullptr)
    for (const auto& [name, each] : *properties) made[name] = whole(each.as_object());
  if (const auto* others = json::find_object(schema, "additionalProperties")) made["any"] = whole(*others);
  if (made.empty()) made["any"] = "text";
  return made;
}

json::value whole(const json::object& given) {
  const auto& schema = resolved(given);
  if (const auto* alternatives = json::find_array(schema, "anyOf")) return whole(alternatives->front().as_object());
  if (const auto* choices = json::find_array(schema, "enum")) return choices->front();
  const auto types = types_of(schema);
  const auto type = types.empty() ? std::string("string") : types.front();
  if (type == "object") return whole_object(schema);
  if (type == "array") {
    const auto* items = json::find_object(schema, "items");
    return json::array{items == nullptr ? json::value("text") : whole(*items)};
  }
  if (type == "integer") return 7;
  if (type == "number") return 0.5;
  if (type == "boolean") return true;
  return json::find_string(schema, "format") == "date-time" ? "2026-11-21T09:00:00Z" : "text";
}

}  // namespace

std::vector<std::string> invented_in(std::string_view method, const json::value& answer) {
  const auto schema = schema_of(method);
  return schema ? invented(*schema, answer, std::string(method)) : Lines();
}

json::value whole_answer(std::string_view method) {
  const auto schema = schema_of(method);
  return schema ? whole(*schema) : json::value();
}

}  // namespace gantry::support
