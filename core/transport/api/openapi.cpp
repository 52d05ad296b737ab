// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi.hpp"

#include "core/encoding/json.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/transport/api/openapi_failures.hpp"
#include "core/transport/api/openapi_frame.hpp"
#include "core/transport/api/openapi_schema.hpp"

namespace gantry::transport {

namespace {

using scheduling::Effect;
using scheduling::Method;

json::object success(const Method& method) {
  auto schema =
      closed_object({{"result", schema_of_result(method.result)}, {"request_id", json::object{{"type", "string"}}}},
                    {"result", "request_id"});
  return {{"description", "It is done."}, {"headers", answer_headers()}, {"content", json_content(std::move(schema))}};
}

json::object responses(const Method& method, Asked asked) {
  json::object result{{"200", success(method)}};
  for (auto& failure : failure_references(asked)) result[failure.key()] = std::move(failure.value());
  return result;
}

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::reads: return "reads";
    case Effect::idempotent: return "idempotent";
    case Effect::changes: return "changes";
  }
  return "changes";
}

json::object request_body(const Method& method) {
  json::object properties;
  json::array required;
  json::object example;
  for (const auto& argument : method.args) {
    properties[argument.name] = schema_of_argument(argument);
    if (argument.required) required.emplace_back(argument.name);
    if (auto value = argument.example.empty() ? std::nullopt : example_of(argument))
      example[argument.name] = std::move(*value);
  }
  const bool needs_args = !required.empty();
  auto body = closed_object({{"context", reference("schemas", "Context")},
                             {"args", closed_object(std::move(properties), std::move(required))}},
                            needs_args ? json::array{"args"} : json::array());
  auto content = json_content(std::move(body));
  content["application/json"].get_object()["example"] = json::object{{"args", std::move(example)}};
  return {{"required", needs_args}, {"content", std::move(content)}};
}

json::object post_operation(const Method& method) {
  json::array parameters{reference("parameters", "XRequestId"), reference("parameters", "XTimeoutMs")};
  if (method.effect == Effect::changes) parameters.push_back(reference("parameters", "IdempotencyKey"));
  return {{"operationId", method.name},
          {"summary", method.summary},
          {"tags", json::array{json::value(method.group)}},
          {"x-effect", name_of(method.effect)},
          {"parameters", std::move(parameters)},
          {"requestBody", request_body(method)},
          {"responses", responses(method, Asked::by_post)}};
}

json::object get_operation(const Method& method) {
  json::array parameters{reference("parameters", "XRequestId"), reference("parameters", "XTimeoutMs")};
  for (const auto& argument : method.args) {
    json::object parameter{{"name", argument.name},
                           {"in", "query"},
                           {"required", argument.required},
                           {"description", argument.meaning},
                           {"schema", schema_of_parameter(argument)}};
    if (auto value = argument.example.empty() ? std::nullopt : example_of(argument))
      parameter["example"] = std::move(*value);
    parameters.push_back(std::move(parameter));
  }
  return {{"operationId", "get_" + std::string(method.name)},
          {"summary", method.summary},
          {"tags", json::array{json::value(method.group)}},
          {"x-effect", name_of(method.effect)},
          {"parameters", std::move(parameters)},
          {"responses", responses(method, Asked::by_get)}};
}

}  // namespace

std::string openapi_document(const std::vector<scheduling::MethodName>& methods) {
  // The tests parse the frame, so it is known to be right.
  auto document = *json::parse_object(openapi_frame());
  document["info"].get_object()["version"] = GANTRY_VERSION;
  auto& paths = document["paths"].get_object();
  for (const auto& name : methods) {
    if (name.described == nullptr) continue;
    json::object operations{{"post", post_operation(*name.described)}};
    if (name.reads) operations["get"] = get_operation(*name.described);
    paths["/v1/" + name.name] = std::move(operations);
  }
  auto& responses = document["components"].get_object()["responses"].get_object();
  for (auto& failure : failure_responses()) responses[failure.key()] = std::move(failure.value());
  return json::write(document);
}

}  // namespace gantry::transport
