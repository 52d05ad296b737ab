// SPDX-License-Identifier: Apache-2.0
//
// The paths of the API. Turns a request into a call of the manager, or into an answer.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/scheduling/manager.hpp"
#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// The outcome of routing a request: a call of the manager, or an answer that needs no call.
struct Routed {
  std::string request_id;
  std::variant<HttpAnswer, scheduling::MethodCall> outcome;
};

// Returns whether the path of a target is a public document: /, /livez, /readyz, /openapi.json, or
// one of the web page below /ui/.
bool is_document(std::string_view target);
// Returns whether a target is /metrics, which a role may read that may call `stats`.
bool is_metrics(std::string_view target);
// Returns the method that a target names, known or not. Empty: the target is not below /v1/.
std::string_view method_of(std::string_view target);
// Returns the request's own id if that is well-formed, else a new id.
std::string request_id_of(const HttpRequest& request);

// [any thread]
class HttpRoutes {
 public:
  using Reasons = std::function<std::vector<std::string>()>;
  using Metrics = std::function<std::string()>;

  // `methods` are sorted by name, as the manager returns them. `request_timeout` is the longest deadline of a call. A
  // request may ask for less by X-Timeout-Ms. `unready_reasons` returns why /readyz answers 503. Empty: never.
  HttpRoutes(std::vector<scheduling::MethodName> methods, std::chrono::milliseconds request_timeout,
             Reasons unready_reasons = {});

  Routed route(HttpRequest request) const;

  // Checks the head of a request whose body has not arrived. Returns the refusal. nullopt: the head is in order.
  std::optional<HttpAnswer> refuse_head(const HttpRequest& request) const;

  // Returns whether a request for the target reads what may take long: /metrics, or a long read of the manager. Not one
  // that waits for an examination, which the manager makes on a thread of its own.
  bool is_long(std::string_view target) const;

  // Returns the method of that name. nullptr: there is none.
  const scheduling::MethodName* method_named(std::string_view name) const;

  // Sets what /metrics answers. Call before the first request. Without it the path is unknown.
  void set_metrics(Metrics metrics) { metrics_ = std::move(metrics); }

  // From now on /readyz answers 503.
  void set_stopping() { stopping_.store(true, std::memory_order_relaxed); }

 private:
  void describe_readiness(HttpAnswer& answer) const;
  HttpAnswer service_document(const HttpRequest& request, std::string_view path, std::string_view request_id) const;
  const scheduling::MethodName* find_method(std::string_view path) const;
  HttpAnswer unknown_path(std::string_view path, std::string_view request_id) const;
  std::optional<HttpAnswer> refuse(const HttpRequest& request, std::string_view path,
                                   std::string_view request_id) const;
  Result<scheduling::MethodCall> call_of(HttpRequest& request, std::string_view method, std::string_view query) const;

  std::vector<scheduling::MethodName> methods_;
  // Made when it is asked for first: it takes some milliseconds, which a restart does not have.
  mutable std::once_flag openapi_made_;
  mutable std::string openapi_;
  std::chrono::milliseconds request_timeout_;
  Reasons unready_reasons_;
  Metrics metrics_;
  std::atomic<bool> stopping_{false};
};

}  // namespace gantry::transport
