// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/http_routes.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/url/encoding_opts.hpp>
#include <boost/url/params_encoded_view.hpp>
#include <boost/url/parse_query.hpp>
#include <charconv>

#include "core/encoding/json.hpp"
#include "core/encoding/json_memory.hpp"
#include "core/encoding/nearest.hpp"
#include "core/encoding/utf8.hpp"
#include "core/encoding/uuid.hpp"
#include "core/telemetry/metrics/metric_text.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/openapi.hpp"
#include "core/transport/api/page_answer.hpp"
#include "core/transport/page/page.hpp"

namespace gantry::transport {

namespace {

constexpr std::string_view method_prefix = "/v1/";
constexpr std::string_view metrics_path = "/metrics";

bool is_document_path(std::string_view path) {
  return path == "/" || path == "/livez" || path == "/readyz" || path == "/openapi.json" || is_page_path(path);
}

bool is_request_id(std::string_view text) {
  return text.starts_with("req-") && parse_uuid(text.substr(4)).has_value();
}

bool is_json_type(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return type == "application/json";
}

Error invalid(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), ""};
}

struct Target {
  std::string_view path;
  std::string_view query;
};

Target split_target(std::string_view target) {
  const auto mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

struct Body {
  json::object context;
  json::object args;
};

Result<Body> read_query(std::string_view query) {
  json::object args;
  if (query.empty()) return Body();
  const auto parsed = boost::urls::parse_query(query);
  if (!parsed) {
    return invalid("query " + in_quotes(query) + ": expected name=value&name=value, percent-encoded; found " +
                   parsed.error().message());
  }
  boost::urls::encoding_opts plus_is_space;
  plus_is_space.space_as_plus = true;
  for (const auto& parameter : *parsed) {
    const auto name = parameter.key.decode(plus_is_space);
    if (args.contains(name)) return invalid("query: expected each name once, found " + in_quotes(name) + " again");
    auto value = parameter.value.decode(plus_is_space);
    if (!is_utf8(name) || !is_utf8(value))
      return invalid("query " + in_quotes(query) + ": expected UTF-8, percent-encoded; found other bytes");
    args.emplace(name, std::move(value));
  }
  return Body{{}, std::move(args)};
}

// Moves member `key` out of the body. Empty: the body has no such member.
Result<json::object> take_member(json::object& body, std::string_view key) {
  const auto found = body.find(key);
  if (found == body.end() || found->value().is_null()) return json::object{};
  if (!found->value().is_object()) {
    return invalid("request body: '" + std::string(key) + "': expected an object, found " +
                   std::string(json::type_name(found->value())));
  }
  return std::move(found->value().get_object());
}

Result<Body> read_body(std::string_view text, boost::json::storage_ptr memory) {
  if (text.empty()) return Body();
  auto body = json::parse_object_into(std::move(memory), text, json::max_part_depth);
  if (!body) return std::move(body).error().within("request body");
  for (const auto& member : *body) {
    if (member.key() == "context" || member.key() == "args") continue;
    return invalid("request body: key " + in_quotes(member.key()) +
                   ": expected only 'context' and 'args'; the method's arguments go into 'args'");
  }
  auto context = take_member(*body, "context");
  if (!context) return std::move(context).error();
  auto args = take_member(*body, "args");
  if (!args) return std::move(args).error();
  return Body{std::move(*context), std::move(*args)};
}

Result<std::chrono::milliseconds> timeout_of(std::string_view text, std::chrono::milliseconds most) {
  if (text.empty()) return most;
  std::int64_t wanted = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  if (failure != std::errc{} || end != text.data() + text.size() || wanted < 1) {
    return invalid("header X-Timeout-Ms: expected a whole number of milliseconds from 1 on, found " + in_quotes(text));
  }
  return std::min(most, std::chrono::milliseconds(wanted));
}

Result<void> check_idempotency_key(std::string_view key) {
  constexpr std::size_t longest = 255;
  const bool printable = std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (key.size() <= longest && printable) return {};
  return invalid("header Idempotency-Key: expected at most 255 printable ASCII characters without spaces, found " +
                 in_quotes(key));
}

}  // namespace

bool is_metrics(std::string_view target) {
  return split_target(target).path == metrics_path;
}

bool is_document(std::string_view target) {
  return is_document_path(split_target(target).path);
}

std::string_view method_of(std::string_view target) {
  const auto path = split_target(target).path;
  return path.starts_with(method_prefix) ? path.substr(method_prefix.size()) : std::string_view();
}

std::string request_id_of(const HttpRequest& request) {
  return is_request_id(request.request_id) ? request.request_id : new_request_id();
}

HttpRoutes::HttpRoutes(std::vector<scheduling::MethodName> methods, std::chrono::milliseconds request_timeout,
                       Reasons unready_reasons)
    : methods_(std::move(methods)), request_timeout_(request_timeout), unready_reasons_(std::move(unready_reasons)) {}

Routed HttpRoutes::route(HttpRequest request) const {
  Routed routed{request_id_of(request), HttpAnswer{}};
  const std::string target = std::move(request.target);
  const auto [path, query] = split_target(target);
  if (auto refusal = refuse(request, path, routed.request_id)) {
    routed.outcome = std::move(*refusal);
    return routed;
  }
  if (is_document_path(path) || path == metrics_path) {
    routed.outcome = service_document(request, path, routed.request_id);
    return routed;
  }
  auto call = call_of(request, path.substr(method_prefix.size()), query);
  if (!call) {
    routed.outcome = error_answer(call.error(), routed.request_id);
    return routed;
  }
  if (!is_request_id(request.request_id)) {
    const auto in_context = json::find_string(call->context, "request_id");
    if (in_context && is_request_id(*in_context)) routed.request_id = *in_context;
  }
  call->request_id = routed.request_id;
  routed.outcome = std::move(*call);
  return routed;
}

std::optional<HttpAnswer> HttpRoutes::refuse_head(const HttpRequest& request) const {
  auto refusal = refuse(request, split_target(request.target).path, request_id_of(request));
  if (refusal) refusal->close = true;
  return refusal;
}

std::optional<HttpAnswer> HttpRoutes::refuse(const HttpRequest& request, std::string_view path,
                                             std::string_view request_id) const {
  const bool document = is_document_path(path) || (path == metrics_path && metrics_);
  const auto* method = find_method(path);
  if (!document && method == nullptr) return unknown_path(path, request_id);

  const bool readable = document || method->reads;
  const std::string allow = document ? "GET, HEAD" : readable ? "GET, POST" : "POST";
  const bool reads = request.verb == "GET" || (document && request.verb == "HEAD");
  if (reads ? !readable : document || request.verb != "POST") {
    auto answer = error_answer(
        invalid("path " + in_quotes(path) + ": expected the verb " + allow + ", found " + in_quotes(request.verb)),
        request_id, 405);
    answer.allow = allow;
    return answer;
  }
  if (reads) return std::nullopt;
  if (!request.has_length) {
    auto answer = error_answer(
        invalid("POST " + std::string(path) + ": expected a Content-Length header or a chunked body, found neither"),
        request_id, 411);
    answer.close = true;
    return answer;
  }
  if (!is_json_type(request.content_type) && !(request.content_type.empty() && request.body.empty())) {
    return error_answer(invalid("header Content-Type: expected application/json, found " +
                                (request.content_type.empty() ? "none" : in_quotes(request.content_type)) +
                                "; with curl add -H 'Content-Type: application/json'"),
                        request_id, 415);
  }
  if (!request.content_encoding.empty() && !boost::beast::iequals(request.content_encoding, "identity")) {
    return error_answer(invalid("header Content-Encoding: expected none, found " + in_quotes(request.content_encoding)),
                        request_id, 415);
  }
  return std::nullopt;
}

const scheduling::MethodName* HttpRoutes::find_method(std::string_view path) const {
  return path.starts_with(method_prefix) ? method_named(path.substr(method_prefix.size())) : nullptr;
}

const scheduling::MethodName* HttpRoutes::method_named(std::string_view name) const {
  const auto found = std::lower_bound(methods_.begin(), methods_.end(), name,
                                      [](const auto& method, auto wanted) { return method.name < wanted; });
  return found != methods_.end() && found->name == name ? &*found : nullptr;
}

bool HttpRoutes::is_long(std::string_view target) const {
  if (is_metrics(target)) return true;
  const auto* method = method_named(method_of(target));
  return method != nullptr && method->is_long && !method->waits;
}

HttpAnswer HttpRoutes::unknown_path(std::string_view path, std::string_view request_id) const {
  if (!path.starts_with(method_prefix)) {
    return error_answer(
        {ErrorCode::unsupported,
         "path " + in_quotes(path) +
             ": expected /v1/<method>, /, /openapi.json, /livez, /readyz or /metrics; GET / lists the methods",
         ""},
        request_id);
  }
  const auto method = path.substr(method_prefix.size());
  std::vector<std::string> known;
  for (const auto& each : methods_) known.push_back(each.name);
  const auto near = nearest(method, known);
  std::string message = "no method " + in_quotes(method);
  if (!near.empty()) message.append("; did you mean ").append(near).append("?");
  message.append(near.empty() ? "; GET / lists the methods" : " GET / lists all methods");
  return error_answer({ErrorCode::unsupported, message, ""}, request_id);
}

HttpAnswer HttpRoutes::service_document(const HttpRequest& request, std::string_view path,
                                        std::string_view request_id) const {
  if (is_page_path(path)) return page_answer(request, path, request_id);
  HttpAnswer answer;
  answer.request_id = request_id;
  answer.without_body = request.verb == "HEAD";
  if (path == "/") {
    json::array methods;
    for (const auto& method : methods_) methods.emplace_back(method.name);
    const json::object document{{"name", "gantry"},
                                {"version", GANTRY_VERSION},
                                {"api", json::array{json::object{{"id", "v1"}}}},
                                {"methods", std::move(methods)}};
    answer.body = json::write(document);
  } else if (path == "/openapi.json") {
    std::call_once(openapi_made_, [this] { openapi_ = openapi_document(methods_); });
    answer.body = openapi_;
  } else if (path == metrics_path) {
    answer.body = metrics_();
    answer.content_type = telemetry::metric_content_type;
  } else {
    answer.body = R"({"status":"ok"})";
    if (path == "/readyz") describe_readiness(answer);
  }
  return answer;
}

void HttpRoutes::describe_readiness(HttpAnswer& answer) const {
  json::object document;
  if (stopping_.load(std::memory_order_relaxed)) {
    document["status"] = "stopping";
  } else {
    const auto reasons = unready_reasons_ ? unready_reasons_() : std::vector<std::string>();
    if (reasons.empty()) return;
    document["status"] = "not ready";
    document["reasons"] = json::array(reasons.begin(), reasons.end());
  }
  answer.status = 503;
  answer.retry_later = true;
  answer.body = json::write(document);
}

Result<scheduling::MethodCall> HttpRoutes::call_of(HttpRequest& request, std::string_view method,
                                                   std::string_view query) const {
  const auto timeout = timeout_of(request.timeout_ms, request_timeout_);
  if (!timeout) return timeout.error();
  const auto deadline = request.arrived + *timeout;
  if (auto checked = check_idempotency_key(request.idempotency_key); !checked) return std::move(checked).error();
  const bool is_get = request.verb == "GET";
  if (!is_get && !query.empty()) {
    return invalid("query " + in_quotes(query) + ": expected none with POST; arguments go into the body's 'args'");
  }
  const std::size_t headroom = 4 * request.body.size();
  const bool borrows = !is_get && method_named(method)->takes_apart;
  auto borrowed = borrows ? std::make_shared<json::BorrowedMemory>(headroom) : nullptr;
  auto body =
      is_get ? read_query(query) : read_body(request.body, borrowed ? borrowed->lend() : json::shared_memory(headroom));
  if (!body) return std::move(body).error();
  // Initialised, not assigned: an object that is assigned to keeps its own memory and copies.
  return scheduling::MethodCall{.method = std::string(method),
                                .memory = std::move(borrowed),
                                .context = std::move(body->context),
                                .args = std::move(body->args),
                                .request_id = {},
                                .idempotency_key = std::move(request.idempotency_key),
                                .peer = std::move(request.peer),
                                .deadline = deadline,
                                .caller = {},
                                .authority_call = {}};
}

}  // namespace gantry::transport
