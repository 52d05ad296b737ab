// SPDX-License-Identifier: Apache-2.0
//
// Which path means what: turns a request into a call of the manager, or into the answer that it gets at once.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/scheduling/manager.hpp"
#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

struct Routed {
  std::string request_id;
  std::variant<HttpAnswer, scheduling::MethodCall> outcome;
};

// Whether the path of a target is one of the documents that everybody may see.
bool is_document(std::string_view target);
// The method that a target names, there or not; empty: it names none.
std::string_view method_of(std::string_view target);
// The request's own id, if it has a proper one, or a new one.
std::string request_id_of(const HttpRequest& request);

// [any thread]
class HttpRoutes {
 public:
  // `methods` sorted by name, as the manager gives them.
  HttpRoutes(std::vector<scheduling::MethodName> methods, std::chrono::milliseconds request_timeout);

  Routed route(HttpRequest request) const;

  // What is wrong with the head of a request, before its body has come.
  std::optional<HttpAnswer> refuse_head(const HttpRequest& request) const;

  // Whether the method's answer waits for something to happen.
  bool waits(std::string_view method) const;

  // /readyz says 503 from now on.
  void set_stopping() { stopping_.store(true, std::memory_order_relaxed); }

 private:
  HttpAnswer service_document(const HttpRequest& request, std::string_view path, std::string_view request_id) const;
  const scheduling::MethodName* find_method(std::string_view path) const;
  const scheduling::MethodName* method_named(std::string_view name) const;
  HttpAnswer unknown_path(std::string_view path, std::string_view request_id) const;
  std::optional<HttpAnswer> refuse(const HttpRequest& request, std::string_view path,
                                   std::string_view request_id) const;
  Result<scheduling::MethodCall> call_of(HttpRequest& request, std::string_view method, std::string_view query) const;

  std::vector<scheduling::MethodName> methods_;
  std::string openapi_;
  std::chrono::milliseconds request_timeout_;
  std::atomic<bool> stopping_{false};
};

}  // namespace gantry::transport
