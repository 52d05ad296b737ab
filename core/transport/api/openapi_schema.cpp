// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi_schema.hpp"

#include <array>
#include <limits>

#include "core/scheduling/methods/record_table.hpp"

namespace gantry::transport {

namespace {

using scheduling::Argument;
using scheduling::ArgumentType;

json::object typed(std::string_view type) {
  return {{"type", type}};
}

json::object list_of(json::object item) {
  return {{"type", "array"}, {"items", std::move(item)}};
}

// The parts of `shape` between separators that stand in no brackets.
std::vector<std::string_view> split(std::string_view shape, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] == '[' || shape[at] == '{') ++depth;
    if (shape[at] == ']' || shape[at] == '}') --depth;
    if (shape[at] != separator || depth != 0) continue;
    parts.push_back(shape.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(shape.substr(begin));
  return parts;
}

json::object one_of_texts(const std::vector<std::string_view>& texts) {
  json::array choices;
  for (const auto text : texts) choices.emplace_back(text);
  return {{"type", "string"}, {"enum", std::move(choices)}};
}

json::object schema_of_alternatives(const std::vector<std::string_view>& parts) {
  if (parts.front().starts_with('\'')) {
    std::vector<std::string_view> texts;
    texts.reserve(parts.size());
    for (const auto part : parts) texts.push_back(part.substr(1, part.size() - 2));
    return one_of_texts(texts);
  }
  json::array schemas;
  for (const auto part : parts) schemas.push_back(schema_of_shape(part));
  return {{"anyOf", std::move(schemas)}};
}

json::object or_null(json::object schema) {
  if (const auto type = json::find_string(schema, "type"); type && !schema.contains("enum")) {
    schema["type"] = json::array{json::value(*type), "null"};
    return schema;
  }
  return {{"anyOf", json::array{std::move(schema), typed("null")}}};
}

json::object schema_of_word(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> types{
      {{"text", "string"}, {"integer", "integer"}, {"number", "number"}, {"truth", "boolean"}, {"object", "object"}}};
  for (const auto& [known, type] : types) {
    if (word == known) return typed(type);
  }
  if (word == "any") return {};
  if (word == "time") return {{"type", "string"}, {"format", "date-time"}};
  return reference("schemas", word);
}

json::object host_name_schema() {
  auto pair = list_of({{"type", json::array{"string", "null"}}});
  pair["minItems"] = 2;
  pair["maxItems"] = 2;
  pair["description"] = "[host, node]";
  return {{"anyOf", json::array{typed("string"), std::move(pair)}}};
}

json::object schema_of_type(ArgumentType type) {
  switch (type) {
    case ArgumentType::any: return {};
    case ArgumentType::text: return typed("string");
    case ArgumentType::truth: return typed("boolean");
    case ArgumentType::integer: return typed("integer");
    case ArgumentType::object: return typed("object");
    case ArgumentType::texts: return list_of(typed("string"));
    case ArgumentType::host_name: return host_name_schema();
    case ArgumentType::id_or_name: return {{"type", json::array{"integer", "string"}}};
    case ArgumentType::time: return {{"type", json::array{"string", "number"}}};
  }
  return {};
}

// What holds wherever the argument stands: bounds, choices.
json::object bounded(const Argument& argument, json::object schema) {
  if (!argument.choices.empty()) {
    auto texts = one_of_texts(split(argument.choices, '|'));
    if (argument.type == ArgumentType::truth)
      schema = {{"anyOf", json::array{std::move(schema), std::move(texts)}}};
    else
      schema = std::move(texts);
  }
  if (argument.least != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = argument.least;
  if (argument.most != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = argument.most;
  if (argument.required && argument.type == ArgumentType::text) schema["minLength"] = 1;
  return schema;
}

json::value parsed(std::string_view text) {
  auto value = json::parse(text);
  return value ? std::move(*value) : json::value(text);
}

json::object described(const Argument& argument, json::object schema) {
  schema["description"] = argument.meaning;
  if (!argument.fallback.empty()) schema["default"] = parsed(argument.fallback);
  if (!argument.example.empty()) schema["examples"] = json::array{*example_of(argument)};
  return schema;
}

json::object schema_of_record(const scheduling::Record& record) {
  json::object properties;
  json::array required;
  for (const auto& member : record.members) {
    auto schema = schema_of_shape(member.shape);
    if (!member.meaning.empty()) schema["description"] = member.meaning;
    properties[member.name] = std::move(schema);
    if (member.always) required.emplace_back(member.name);
  }
  auto schema = closed_object(std::move(properties), std::move(required));
  schema["description"] = record.meaning;
  if (record.others == "any")
    schema["additionalProperties"] = true;
  else if (!record.others.empty())
    schema["additionalProperties"] = schema_of_shape(record.others);
  return schema;
}

}  // namespace

json::object schema_of_shape(std::string_view shape) {
  if (const auto parts = split(shape, '|'); parts.size() > 1) return schema_of_alternatives(parts);
  if (shape.ends_with('?')) return or_null(schema_of_shape(shape.substr(0, shape.size() - 1)));
  if (shape.starts_with('\'')) return one_of_texts({shape.substr(1, shape.size() - 2)});
  const auto inner = shape.substr(1, shape.size() < 2 ? 0 : shape.size() - 2);
  if (shape.starts_with('[')) return list_of(schema_of_shape(inner));
  if (shape.starts_with('{')) return {{"type", "object"}, {"additionalProperties", schema_of_shape(inner)}};
  return schema_of_word(shape);
}

json::object schema_of_argument(const Argument& argument) {
  auto schema = bounded(argument, schema_of_type(argument.type));
  if (!argument.required && argument.type != ArgumentType::any) schema = or_null(std::move(schema));
  return described(argument, std::move(schema));
}

json::object schema_of_parameter(const Argument& argument) {
  const bool keeps_type = argument.type == ArgumentType::truth || argument.type == ArgumentType::integer;
  auto schema = bounded(argument, keeps_type ? schema_of_type(argument.type) : typed("string"));
  if (!argument.fallback.empty()) schema["default"] = parsed(argument.fallback);
  return schema;
}

std::optional<json::value> example_of(const Argument& argument) {
  if (argument.example.empty())
    return argument.fallback.empty() ? std::nullopt : std::optional(parsed(argument.fallback));
  if (argument.type == ArgumentType::text) return json::value(argument.example);
  return parsed(argument.example);
}

json::object record_schemas() {
  json::object schemas;
  for (const auto& record : scheduling::record_table()) schemas[record.name] = schema_of_record(record);
  return schemas;
}

json::object closed_object(json::object properties, json::array required) {
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

json::object reference(std::string_view kind, std::string_view name) {
  return {{"$ref", "#/components/" + std::string(kind) + "/" + std::string(name)}};
}

}  // namespace gantry::transport
