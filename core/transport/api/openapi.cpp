// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi.hpp"

#include "core/encoding/json.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/transport/api/openapi_answers.hpp"
#include "core/transport/api/openapi_schema.hpp"

namespace gantry::transport {

namespace {

using scheduling::Effect;
using scheduling::Method;

constexpr std::string_view description =
    "Gantry decides where things should run. Every method is asked with POST and a body of two members, context and "
    "args; one that reads only can be asked with GET and a query, too. An answer is {result, request_id}, a failure "
    "{error}. A changing method that is sent again with the same Idempotency-Key gives the first answer; "
    "x-effect says which methods read, change nothing more when they are repeated, or change. A path asked with a verb "
    "that it does not have answers 405 and names those it has. Paths carry "
    "the version: within /v1 members are added, never taken away or given another meaning.";

json::object info() {
  return {{"title", "Gantry"},
          {"version", GANTRY_VERSION},
          {"summary", "A scheduler service."},
          {"description", description},
          {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}};
}

json::object header_parameter(std::string_view name, std::string_view meaning, json::object schema) {
  return {{"name", name}, {"in", "header"}, {"description", meaning}, {"schema", std::move(schema)}};
}

json::object header_parameters() {
  return {
      {"XRequestId", header_parameter("X-Request-Id",
                                      "The id under which the request is logged: req- and a UUID; else it is made up.",
                                      {{"type", "string"}})},
      {"XTimeoutMs", header_parameter("X-Timeout-Ms",
                                      "Shortens the request's deadline: milliseconds, server.request_timeout at most.",
                                      {{"type", "integer"}, {"minimum", 1}})},
      {"IdempotencyKey",
       header_parameter("Idempotency-Key",
                        "Printable ASCII without spaces. The same request sent again under it gives the first answer.",
                        {{"type", "string"}, {"maxLength", 255}})},
  };
}

json::object request_id_header() {
  return {{"description", "The request's id, as it was sent or made up."},
          {"schema", json::object{{"type", "string"}}}};
}

json::object context_schema() {
  const json::object text{{"type", "string"}};
  return {
      {"type", "object"},
      {"description",
       "Nova's request context: who asks. Further members are kept; auth_token and the like reach no driver or log."},
      {"properties", json::object{{"user_id", text},
                                  {"project_id", text},
                                  {"roles", json::object{{"type", "array"}, {"items", text}}},
                                  {"is_admin", json::object{{"type", "boolean"}}},
                                  {"remote_address", text},
                                  {"request_id", text}}},
      {"additionalProperties", true}};
}

// --- methods -----------------------------------------------------------------------------------------------------

json::object success(const Method& method) {
  auto schema =
      closed_object({{"result", schema_of_shape(method.result)}, {"request_id", json::object{{"type", "string"}}}},
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

// --- the service's own pages -------------------------------------------------------------------------------------

json::object page_answer(std::string_view meaning, json::object schema) {
  return {{"description", meaning}, {"headers", answer_headers()}, {"content", json_content(std::move(schema))}};
}

// name: of the operation. later: the schema of a 503 of its own; empty: it has none.
json::object page(const std::string& name, std::string_view summary, json::object schema, const json::object& later) {
  json::object answers{{"200", page_answer("Here it is.", std::move(schema))}};
  if (!later.empty()) answers["503"] = page_answer("Not now.", later);
  answers["408"] = reference("responses", "Failure408");
  answers["431"] = reference("responses", "Failure431");
  json::object head_answers;
  for (const auto& answer : answers) {
    const auto* content = answer.value().get_object().if_contains("content");
    head_answers[answer.key()] = content == nullptr
                                     ? answer.value()
                                     : json::value(json::object{{"description", "As with GET, without its body."},
                                                                {"headers", answer_headers()}});
  }
  const json::array parameters{reference("parameters", "XRequestId")};
  const json::array tags{"service"};
  return {{"get", json::object{{"operationId", "get_" + name},
                               {"summary", summary},
                               {"tags", tags},
                               {"parameters", parameters},
                               {"responses", std::move(answers)}}},
          {"head", json::object{{"operationId", "head_" + name},
                                {"summary", summary},
                                {"tags", tags},
                                {"parameters", parameters},
                                {"responses", std::move(head_answers)}}}};
}

json::object status_schema(std::string_view shape) {
  return closed_object({{"status", schema_of_shape(shape)}}, {"status"});
}

json::object root_schema() {
  const json::object api = closed_object({{"id", json::object{{"type", "string"}}}}, {"id"});
  return closed_object({{"name", schema_of_shape("'gantry'")},
                        {"version", schema_of_shape("text")},
                        {"api", json::object{{"type", "array"}, {"items", api}}},
                        {"methods", schema_of_shape("[text]")}},
                       {"name", "version", "api", "methods"});
}

json::object pages() {
  return {
      {"/", page("versions", "The versions of the API and its methods.", root_schema(), {})},
      {"/livez", page("livez", "Whether the process answers.", status_schema("'ok'"), {})},
      {"/readyz", page("readyz", "Whether requests are welcome.", status_schema("'ok'"), status_schema("'stopping'"))},
      {"/openapi.json", page("openapi", "This document.", {{"type", "object"}}, {})}};
}

json::object components() {
  auto schemas = record_schemas();
  schemas["Context"] = context_schema();
  return {{"schemas", std::move(schemas)},
          {"parameters", header_parameters()},
          {"headers", json::object{{"XRequestId", request_id_header()}}},
          {"responses", failure_responses()},
          {"securitySchemes",
           json::object{{"bearer", json::object{{"type", "http"},
                                                {"scheme", "bearer"},
                                                {"description",
                                                 "An access token, as create_token makes it known. Over the unix "
                                                 "socket none is needed."}}}}}};
}

}  // namespace

std::string openapi_document(const std::vector<scheduling::MethodName>& methods) {
  auto paths = pages();
  for (const auto& name : methods) {
    if (name.described == nullptr) continue;
    json::object operations{{"post", post_operation(*name.described)}};
    if (name.reads) operations["get"] = get_operation(*name.described);
    paths["/v1/" + name.name] = std::move(operations);
  }
  const json::object server{{"url", "/"}, {"description", "Where this document came from."}};
  return json::write(json::object{{"openapi", "3.1.0"},
                                  {"info", info()},
                                  {"servers", json::array{server}},
                                  {"security", json::array{json::object(), json::object{{"bearer", json::array()}}}},
                                  {"paths", std::move(paths)},
                                  {"components", components()}});
}

}  // namespace gantry::transport
