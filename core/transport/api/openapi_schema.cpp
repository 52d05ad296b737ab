// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi_schema.hpp"

#include <limits>

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

json::object one_of_texts(const std::vector<std::string_view>& texts) {
  json::array choices(texts.begin(), texts.end());
  return {{"type", "string"}, {"enum", std::move(choices)}};
}

json::object or_null(json::object schema) {
  if (const auto type = json::find_string(schema, "type"); type && !schema.contains("enum")) {
    schema["type"] = json::array{json::value(*type), "null"};
    return schema;
  }
  return {{"anyOf", json::array{std::move(schema), typed("null")}}};
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

// Adds the choices and bounds, which are the same in a body and in a query.
json::object bounded(const Argument& argument, json::object schema) {
  if (!argument.choices.empty()) {
    auto texts = one_of_texts(choices_of(argument));
    if (argument.type == ArgumentType::truth)
      schema = {{"anyOf", json::array{std::move(schema), std::move(texts)}}};
    else
      schema = std::move(texts);
  }
  if (argument.least != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = argument.least;
  if (argument.most != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = argument.most;
  if (argument.required && argument.type == ArgumentType::text) schema["minLength"] = 1;
  const auto longest = rule_of(argument.kind).longest;
  if (argument.type == ArgumentType::text && argument.choices.empty() && longest != any_length)
    schema["maxLength"] = longest;
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

}  // namespace

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

json::object schema_of_result(std::string_view result) {
  if (!result.starts_with('[')) return reference("schemas", result);
  return list_of(reference("schemas", result.substr(1, result.size() - 2)));
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
