// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"

#include <algorithm>
#include <array>

#include "core/scheduling/methods/method_table.hpp"

namespace gantry::scheduling {

namespace {

// Where the topic that a call is about stands.
enum class TopicIn { none, argument, service_name, cast };

struct ServiceMethod {
  std::string_view name;
  TopicIn topic = TopicIn::none;
};

// Beside everything that reads.
constexpr std::array service_methods{
    ServiceMethod{"acknowledge_cast", TopicIn::cast},
    ServiceMethod{"create_group"},
    ServiceMethod{"delete_group"},
    ServiceMethod{"delete_instance"},
    ServiceMethod{"receive_casts", TopicIn::argument},
    ServiceMethod{"release_claims"},
    ServiceMethod{"report_state", TopicIn::argument},
    ServiceMethod{"schedule", TopicIn::argument},
    ServiceMethod{"schedule_run_instance"},
    ServiceMethod{"select_destinations"},
    ServiceMethod{"service_register", TopicIn::argument},
    ServiceMethod{"update_instance"},
    ServiceMethod{"update_resource_stats", TopicIn::argument},
    ServiceMethod{"update_service_capabilities", TopicIn::service_name},
};

constexpr std::array<std::string_view, 9> agent_methods{
    "acknowledge_cast", "list_instances",        "receive_casts",
    "report_state",     "service_register",      "stats_wanted",
    "update_instance",  "update_resource_stats", "update_service_capabilities",
};

Error denied(const Caller& caller, const std::string& why) {
  return {ErrorCode::permission_denied,
          "token " + caller.token_id + " ('" + caller.token_name + "', role " + std::string(name_of(caller.role)) +
              "): " + why,
          {}};
}

const ServiceMethod* find_service_method(std::string_view name) {
  const auto* const found = std::find_if(service_methods.begin(), service_methods.end(),
                                         [name](const auto& method) { return method.name == name; });
  return found == service_methods.end() ? nullptr : &*found;
}

bool reads(std::string_view name) {
  const auto* method = find_method(name);
  return method != nullptr && method->effect == Effect::reads && name != "list_tokens";
}

// Text arguments alone matter here: any other type is refused by the method itself.
std::string text_in(const json::object& args, std::string_view name, std::string_view otherwise = {}) {
  return std::string(json::find_string(args, name).value_or(otherwise));
}

std::string topic_of(const State& state, TopicIn place, const MethodCall& call) {
  if (place == TopicIn::service_name) return text_in(call.args, "service_name");
  if (place == TopicIn::cast) {
    const auto receiver = state.casts.receiver_of(text_in(call.args, "id"));
    return receiver ? receiver->first : std::string();
  }
  return text_in(call.args, "topic", call.method == "update_resource_stats" ? "compute" : "");
}

bool is_one_of(const std::vector<std::string>& topics, const std::string& topic) {
  return std::find(topics.begin(), topics.end(), topic) != topics.end();
}

std::string in_list(const std::vector<std::string>& topics) {
  std::string text;
  for (const auto& topic : topics) text.append(text.empty() ? "'" : ", '").append(topic).append("'");
  return text.empty() ? "none" : text;
}

Result<void> check_topic(const Caller& caller, const MethodCall& call, const std::string& topic) {
  if (is_one_of(caller.topics, topic)) return {};
  return denied(caller,
                call.method + ": expected a topic of its own (" + in_list(caller.topics) + "), found '" + topic + "'");
}

Result<void> check_service_scope(const State& state, const Caller& caller, const MethodCall& call) {
  const auto* method = find_service_method(call.method);
  if (method == nullptr || method->topic == TopicIn::none) return {};
  const auto topic = topic_of(state, method->topic, call);
  // A cast that is not there was acknowledged before, which is no secret.
  if (method->topic == TopicIn::cast && topic.empty()) return {};
  return check_topic(caller, call, topic);
}

// The hosts that a call names, in every form that the methods take.
std::vector<std::string> hosts_of(const State& state, const MethodCall& call) {
  std::vector<std::string> hosts;
  // To update_resource_stats a name is a host's; elsewhere it is an instance's or another thing's.
  const bool is_report = call.method == "update_resource_stats";
  if (const auto* value = call.args.if_contains(is_report ? "name" : "host")) {
    if (value->is_string()) hosts.emplace_back(value->get_string());
    if (value->is_array() && !value->get_array().empty() && value->get_array()[0].is_string())
      hosts.emplace_back(value->get_array()[0].get_string());
  }
  if (const auto* list = json::find_array(call.args, "hosts")) {
    for (const auto& host : *list)
      if (host.is_string()) hosts.emplace_back(host.get_string());
  }
  if (call.method == "update_instance") {
    const auto instance = state.parts.fleet.instance(text_in(call.args, "uuid"));
    hosts.push_back(instance ? instance->host : std::string());
  }
  if (call.method == "acknowledge_cast") {
    const auto receiver = state.casts.receiver_of(text_in(call.args, "id"));
    if (receiver) hosts.push_back(receiver->second);
  }
  return hosts;
}

Result<void> check_agent_scope(const State& state, const Caller& caller, const MethodCall& call) {
  if (call.method == "stats_wanted") return {};
  const auto hosts = hosts_of(state, call);
  if (hosts.empty() && call.method == "acknowledge_cast") return {};
  const bool own = !hosts.empty() &&
                   std::all_of(hosts.begin(), hosts.end(), [&caller](const auto& host) { return host == caller.host; });
  if (!own) {
    const auto other = std::find_if(hosts.begin(), hosts.end(), [&](const auto& host) { return host != caller.host; });
    return denied(caller, call.method + ": expected its own host '" + caller.host + "', found " +
                              (other == hosts.end() || other->empty() ? "none" : "'" + *other + "'"));
  }
  const auto* method = find_service_method(call.method);
  if (caller.topics.empty() || method == nullptr || method->topic == TopicIn::none) return {};
  const auto topic = topic_of(state, method->topic, call);
  return method->topic == TopicIn::cast && topic.empty() ? Result<void>() : check_topic(caller, call, topic);
}

// A decision that changes nothing is a reader's; it may name whom it would be for.
bool changes_nothing(const MethodCall& call) {
  const auto* dry = call.args.if_contains("dry_run");
  return call.method == "select_destinations" && dry != nullptr && dry->is_bool() && dry->get_bool();
}

}  // namespace

Result<void> check_role(const Caller& caller, std::string_view method) {
  bool may = false;
  switch (caller.role) {
    case Role::admin: may = true; break;
    case Role::service: may = reads(method) || find_service_method(method) != nullptr; break;
    case Role::agent: may = std::find(agent_methods.begin(), agent_methods.end(), method) != agent_methods.end(); break;
    case Role::reader: may = reads(method) || method == "select_destinations"; break;
  }
  if (may) return {};
  return denied(caller, "may not call " + std::string(method));
}

Result<void> check_scope(const State& state, const Caller& caller, const MethodCall& call) {
  switch (caller.role) {
    case Role::admin: return {};
    case Role::service: return check_service_scope(state, caller, call);
    case Role::agent: return check_agent_scope(state, caller, call);
    case Role::reader: break;
  }
  if (reads(call.method) || changes_nothing(call)) return {};
  return denied(caller, call.method + ": expected dry_run: true, since its role changes nothing");
}

}  // namespace gantry::scheduling
