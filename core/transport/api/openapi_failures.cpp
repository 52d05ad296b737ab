// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/openapi_failures.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/openapi_schema.hpp"

namespace gantry::transport {

namespace {

struct Failure {
  unsigned status;
  ErrorCode code;
  std::string_view meaning;  // a sentence
  bool only_of_post = false;
};

constexpr std::array<std::pair<ErrorCode, std::string_view>, 13> meanings{{
    {ErrorCode::invalid_argument,
     "The request's words are wrong; the message names which, what was expected and found."},
    {ErrorCode::unauthenticated, "The caller has not shown who it is: over TCP by a token."},
    {ErrorCode::permission_denied, "The caller is known and may not."},
    {ErrorCode::not_found, "It names something that is not there."},
    {ErrorCode::unsupported, "There is no such method, or the driver does not offer it."},
    {ErrorCode::already_exists, "It names something that is there already."},
    {ErrorCode::failed_precondition, "The right words at the wrong moment."},
    {ErrorCode::no_valid_host, "Nothing fits; details say, step by step, how many hosts went in and came out."},
    {ErrorCode::invalid_configuration, "The configuration or a driver's file is refused."},
    {ErrorCode::internal, "The service's fault, or a driver's."},
    {ErrorCode::resource_exhausted, "A bound was reached."},
    {ErrorCode::unavailable, "Not now; the same request may succeed later."},
    {ErrorCode::deadline_exceeded, "Time ran out."},
}};

// The refusals before a method is called. Each has a status of its own.
constexpr std::array<Failure, 5> own_refusals{{
    {408, ErrorCode::invalid_argument, "The request stopped coming."},
    {411, ErrorCode::invalid_argument, "The body's length is not said.", true},
    {413, ErrorCode::invalid_argument, "The body is larger than server.max_body_bytes.", true},
    {415, ErrorCode::invalid_argument, "The body is not said to be application/json, or has a Content-Encoding.", true},
    {431, ErrorCode::invalid_argument, "Request line and headers, a chunk's header or trailers are too large."},
}};

std::vector<Failure> all_failures() {
  std::vector<Failure> failures(own_refusals.begin(), own_refusals.end());
  failures.reserve(own_refusals.size() + meanings.size());
  for (const auto& [code, meaning] : meanings) failures.push_back({status_of(code), code, meaning});
  return failures;
}

std::string response_name(unsigned status) {
  return "Failure" + std::to_string(status);
}

// {"error": {"code", "message", "details", "request_id"}}
json::object failure_schema(json::array codes, bool with_steps) {
  json::object details{{"type", "object"}};
  if (with_steps) details = {{"anyOf", json::array{reference("schemas", "NoValidHost"), std::move(details)}}};
  json::object properties{{"code", json::object{{"type", "string"}, {"enum", std::move(codes)}}},
                          {"message", json::object{{"type", "string"}, {"description", "Says what to do next."}}},
                          {"details", std::move(details)},
                          {"request_id", json::object{{"type", "string"}}}};
  return closed_object({{"error", closed_object(std::move(properties), {"code", "message", "details", "request_id"})}},
                       {"error"});
}

json::object retry_after() {
  return {{"description", "Seconds after which to try again."}, {"schema", json::object{{"type", "integer"}}}};
}

}  // namespace

json::object failure_references(Asked asked) {
  std::map<std::string, std::string> names;
  for (const auto& failure : all_failures()) {
    if (asked == Asked::by_get && failure.only_of_post) continue;
    names[std::to_string(failure.status)] = response_name(failure.status);
  }
  json::object references;
  for (const auto& [status, name] : names) references[status] = reference("responses", name);
  return references;
}

json::object failure_responses() {
  std::map<unsigned, std::vector<Failure>> by_status;
  for (const auto& failure : all_failures()) by_status[failure.status].push_back(failure);
  json::object responses;
  for (const auto& [status, failures] : by_status) {
    std::string description;
    json::array codes;
    for (const auto& [same_status, code, meaning, only_of_post] : failures) {
      description.append(description.empty() ? "" : " ").append(name_of(code)).append(": ").append(meaning);
      codes.emplace_back(name_of(code));
    }
    auto headers = answer_headers();
    if (status == 503) headers["Retry-After"] = retry_after();
    responses[response_name(status)] =
        json::object{{"description", std::move(description)},
                     {"headers", std::move(headers)},
                     {"content", json_content(failure_schema(std::move(codes), status == 409))}};
  }
  return responses;
}

json::object answer_headers() {
  return {{"X-Request-Id", reference("headers", "XRequestId")},
          {"X-Openstack-Request-Id", reference("headers", "XRequestId")}};
}

json::object json_content(json::object schema) {
  return {{"application/json", json::object{{"schema", std::move(schema)}}}};
}

}  // namespace gantry::transport
