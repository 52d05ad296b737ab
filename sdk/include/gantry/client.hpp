// SPDX-License-Identifier: Apache-2.0
//
// The client library in C++17: client.h with values, RAII and errors as values. It is header-only over the C interface,
// so a program and the library may come from different compilers. sdk/methods.md describes methods, arguments and
// results.
#pragma once

#if __cplusplus < 201703L
#error "gantry needs C++17"
#endif

#include <gantry/client.h>

#include <memory>
#include <string>
#include <utility>

namespace gantry::client {

struct error {
  std::string code;  // "no_valid_host", "unreachable", ...
  std::string message;
  std::string details;  // JSON object, or empty
};

// The result of a call as JSON, or its error.
class [[nodiscard]] reply {
 public:
  explicit operator bool() const { return ok_; }
  const std::string& json() const { return json_; }
  const error& failure() const { return error_; }
  const std::string& request_id() const { return request_id_; }
  int attempts() const { return attempts_; }

  explicit reply(gantry_reply* raw) {
    if (raw == nullptr) {
      error_ = {"resource_exhausted", "out of memory", ""};
      return;
    }
    ok_ = raw->ok != 0;
    request_id_ = text(raw->request_id);
    attempts_ = raw->attempts;
    if (ok_)
      json_ = text(raw->result);
    else
      error_ = {text(raw->code), text(raw->message), text(raw->details)};
    gantry_reply_free(raw);
  }

 private:
  static std::string text(const char* value) { return value == nullptr ? std::string() : std::string(value); }
  bool ok_ = false;
  std::string json_;
  error error_;
  std::string request_id_;
  int attempts_ = 0;
};

struct connection_options {
  std::string target;   // as in gantry_client_new; empty: the default
  std::string context;  // JSON object sent with each call
  int timeout_ms = 0;   // 0: 30,000
  std::string token;    // empty: $GANTRY_TOKEN, or the content of token_file or $GANTRY_TOKEN_FILE
  std::string token_file;
  std::string ca_file;  // empty: $GANTRY_CA_FILE, else the system's authorities
};

struct call_options {
  int timeout_ms = 0;           // 0: the client's default
  std::string context;          // JSON; empty: the client's
  std::string request_id;       // empty: generated
  std::string idempotency_key;  // empty: generated
};

class client {
 public:
  // target: as in gantry_client_new, empty for the default. context: JSON object sent with each call.
  explicit client(const std::string& target = "", const std::string& context = "", int timeout_ms = 0)
      : client(connection_options{target, context, timeout_ms, "", "", ""}) {}
  explicit client(const connection_options& wanted) {
    gantry_client_options options{};
    options.struct_size = sizeof options;
    options.timeout_ms = wanted.timeout_ms;
    options.context = or_null(wanted.context);
    options.token = or_null(wanted.token);
    options.token_file = or_null(wanted.token_file);
    options.ca_file = or_null(wanted.ca_file);
    handle_.reset(gantry_client_new(or_null(wanted.target), &options));
  }

  // Returns false if the target has an unknown form.
  bool valid() const { return handle_ != nullptr; }

  reply call(const std::string& method, const std::string& args = "{}", const call_options& wanted = {}) {
    const gantry_call_options options = raw(wanted);
    return reply(gantry_client_call(handle_.get(), method.c_str(), args.c_str(), &options));
  }
  reply document(const std::string& path, const call_options& wanted = {}) {
    const gantry_call_options options = raw(wanted);
    return reply(gantry_client_document(handle_.get(), path.c_str(), &options));
  }

  reply select_destinations(const std::string& request_spec, const std::string& filter_properties = "") {
    return reply(gantry_select_destinations(handle_.get(), request_spec.c_str(), or_null(filter_properties)));
  }
  reply schedule_run_instance(const std::string& request_spec, const std::string& filter_properties = "") {
    return reply(gantry_schedule_run_instance(handle_.get(), request_spec.c_str(), or_null(filter_properties)));
  }
  reply schedule(const std::string& topic, const std::string& method, const std::string& kwargs = "{}") {
    return reply(gantry_schedule(handle_.get(), topic.c_str(), method.c_str(), kwargs.c_str()));
  }
  reply update_resource_stats(const std::string& host, const std::string& node, const std::string& stats,
                              const std::string& topic = "compute") {
    return reply(
        gantry_update_resource_stats(handle_.get(), topic.c_str(), host.c_str(), or_null(node), stats.c_str()));
  }
  reply update_service_capabilities(const std::string& service, const std::string& host,
                                    const std::string& capabilities) {
    return reply(
        gantry_update_service_capabilities(handle_.get(), service.c_str(), host.c_str(), capabilities.c_str()));
  }
  reply service_register(const std::string& topic, const std::string& host, const std::string& binary) {
    return reply(gantry_service_register(handle_.get(), topic.c_str(), host.c_str(), binary.c_str()));
  }
  reply report_state(const std::string& topic, const std::string& host) {
    return reply(gantry_report_state(handle_.get(), topic.c_str(), host.c_str()));
  }
  reply hosts_up(const std::string& topic) { return reply(gantry_hosts_up(handle_.get(), topic.c_str())); }
  reply group_hosts(const std::string& group) { return reply(gantry_group_hosts(handle_.get(), group.c_str())); }
  reply receive_casts(const std::string& topic, const std::string& host, int wait_ms) {
    return reply(gantry_receive_casts(handle_.get(), topic.c_str(), host.c_str(), wait_ms));
  }
  reply acknowledge_cast(const std::string& id) { return reply(gantry_acknowledge_cast(handle_.get(), id.c_str())); }

 private:
  static gantry_call_options raw(const call_options& wanted) {
    gantry_call_options options{};
    options.struct_size = sizeof options;
    options.timeout_ms = wanted.timeout_ms;
    options.context = or_null(wanted.context);
    options.request_id = or_null(wanted.request_id);
    options.idempotency_key = or_null(wanted.idempotency_key);
    return options;
  }
  static const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }
  struct release {
    void operator()(gantry_client* handle) const { gantry_client_free(handle); }
  };
  std::unique_ptr<gantry_client, release> handle_;
};

}  // namespace gantry::client
