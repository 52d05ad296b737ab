// SPDX-License-Identifier: Apache-2.0
//
// The methods of client.h that put their arguments together.
#include <exception>

#include "client_handle.hpp"
#include "json_text.hpp"

namespace {

using gantry::client_library::failure;
using gantry::client_library::JsonObjectText;
using gantry::client_library::quote_json;
using gantry::client_library::reply_of;

// `put` adds the arguments.
template <class Put>
gantry_reply* call_with(gantry_client* client, const char* method, Put put,
                        const gantry_call_options* options = nullptr) {
  try {
    JsonObjectText args;
    put(args);
    if (!args.failure().empty()) return reply_of(failure("invalid_argument", args.failure()));
    return gantry_client_call(client, method, args.text().c_str(), options);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

gantry_reply* gantry_select_destinations(gantry_client* client, const char* request_spec,
                                         const char* filter_properties) {
  return call_with(client, "select_destinations", [&](JsonObjectText& args) {
    args.add_object("request_spec", request_spec);
    args.add_object("filter_properties", filter_properties);
  });
}

gantry_reply* gantry_schedule_run_instance(gantry_client* client, const char* request_spec,
                                           const char* filter_properties) {
  return call_with(client, "schedule_run_instance", [&](JsonObjectText& args) {
    args.add_object("request_spec", request_spec);
    args.add_object("filter_properties", filter_properties);
  });
}

gantry_reply* gantry_schedule(gantry_client* client, const char* topic, const char* method, const char* kwargs) {
  return call_with(client, "schedule", [&](JsonObjectText& args) {
    args.add_text("topic", topic);
    args.add_text("schedule_method", method);
    args.add_object("kwargs", kwargs);
  });
}

gantry_reply* gantry_update_resource_stats(gantry_client* client, const char* topic, const char* host, const char* node,
                                           const char* stats) {
  return call_with(client, "update_resource_stats", [&](JsonObjectText& args) {
    args.add_text("topic", topic);
    if (host != nullptr && node != nullptr) {
      args.add_raw("name", "[" + quote_json(host) + "," + quote_json(node) + "]");
    } else {
      args.add_text("name", host);
    }
    args.add_object("stats", stats);
  });
}

gantry_reply* gantry_update_service_capabilities(gantry_client* client, const char* service, const char* host,
                                                 const char* capabilities) {
  return call_with(client, "update_service_capabilities", [&](JsonObjectText& args) {
    args.add_text("service_name", service);
    args.add_text("host", host);
    args.add_object("capabilities", capabilities);
  });
}

gantry_reply* gantry_service_register(gantry_client* client, const char* topic, const char* host, const char* binary) {
  return call_with(client, "service_register", [&](JsonObjectText& args) {
    args.add_text("topic", topic);
    args.add_text("host", host);
    args.add_text("binary", binary);
  });
}

gantry_reply* gantry_report_state(gantry_client* client, const char* topic, const char* host) {
  return call_with(client, "report_state", [&](JsonObjectText& args) {
    args.add_text("topic", topic);
    args.add_text("host", host);
  });
}

gantry_reply* gantry_hosts_up(gantry_client* client, const char* topic) {
  return call_with(client, "hosts_up", [&](JsonObjectText& args) { args.add_text("topic", topic); });
}

gantry_reply* gantry_group_hosts(gantry_client* client, const char* group) {
  return call_with(client, "group_hosts", [&](JsonObjectText& args) { args.add_text("group", group); });
}

gantry_reply* gantry_receive_casts(gantry_client* client, const char* topic, const char* host, int32_t wait_ms) {
  gantry_call_options options{};
  options.struct_size = sizeof options;
  if (client != nullptr)
    options.timeout_ms = static_cast<int32_t>(client->timeout.count()) + (wait_ms > 0 ? wait_ms : 0);
  return call_with(
      client, "receive_casts",
      [&](JsonObjectText& args) {
        args.add_text("topic", topic);
        args.add_text("host", host);
        args.add_integer("wait_ms", wait_ms);
      },
      &options);
}

gantry_reply* gantry_acknowledge_cast(gantry_client* client, const char* id) {
  return call_with(client, "acknowledge_cast", [&](JsonObjectText& args) { args.add_text("id", id); });
}
