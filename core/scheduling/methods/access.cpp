// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"

#include <algorithm>

namespace gantry::scheduling {

namespace {

Error denied(const Caller& caller, const std::string& why) {
  return {ErrorCode::permission_denied,
          (caller.token_id.starts_with("uid:") ? "user " : "token ") + caller.token_id + " ('" + caller.token_name +
              "', role " + std::string(name_of(caller.role)) + "): " + why,
          {}};
}

bool may_call(Role role, const Callers& callers) {
  switch (role) {
    case Role::admin: return true;
    case Role::service: return callers.service;
    case Role::agent: return callers.agent;
    case Role::reader: return callers.reader;
  }
  return false;
}

std::string in_list(const std::vector<std::string>& topics) {
  std::string text;
  for (const auto& topic : topics) text.append(text.empty() ? "'" : ", '").append(topic).append("'");
  return text.empty() ? "none" : text;
}

Result<void> check_topic(const Caller& caller, const MethodCall& call, const Subject& subject) {
  if (subject.is_of_instances && caller.topics.empty()) return {};
  if (!subject.topic || std::ranges::find(caller.topics, *subject.topic) != caller.topics.end()) return {};
  return denied(caller, call.method + ": expected a topic of its own (" + in_list(caller.topics) + "), found '" +
                            *subject.topic + "'");
}

Result<void> check_hosts(const Caller& caller, const MethodCall& call, const Subject& subject) {
  if (!subject.hosts) return {};
  const auto& hosts = *subject.hosts;
  const auto other = std::ranges::find_if(hosts, [&](const auto& host) { return host != caller.host; });
  if (!hosts.empty() && other == hosts.end()) return {};
  return denied(caller, call.method + ": expected its own host '" + caller.host + "', found " +
                            (other == hosts.end() || other->empty() ? "none" : "'" + *other + "'"));
}

// An agent without topics of its own speaks for its host on each topic that a driver serves or an admin has made. The
// topics of a token are named by an admin, too.
Result<void> check_topic_known(const State& state, const Caller& caller, const MethodCall& call,
                               const Subject& subject) {
  if (!subject.topic || subject.topic->empty()) return {};
  if (state.parts.drivers.for_topic(*subject.topic) != nullptr || state.parts.fleet.has_topic(*subject.topic))
    return {};
  constexpr std::size_t most_shown = 20;
  auto known = state.parts.fleet.topics();
  const auto more = known.size() > most_shown ? " and " + std::to_string(known.size() - most_shown) + " more" : "";
  known.resize(std::min(known.size(), most_shown));
  return denied(caller, call.method + ": expected a topic that a driver serves or that an admin has registered (" +
                            in_list(known) + more + "), found '" + subject.topic->substr(0, 64) + "'");
}

// Whether the call is a dry run of a decision, which a reader may make too. It may name instance uuids.
bool changes_nothing(const MethodCall& call) {
  const auto* dry = call.args.if_contains("dry_run");
  return call.method == "select_destinations" && dry != nullptr && dry->is_bool() && dry->get_bool();
}

}  // namespace

std::string text_argument(const MethodCall& call, std::string_view name) {
  return std::string(json::find_string(call.args, name).value_or(""));
}

std::optional<std::string> host_argument(const MethodCall& call, std::string_view name) {
  const auto* value = call.args.if_contains(name);
  if (value != nullptr && value->is_array() && !value->get_array().empty()) value = &value->get_array()[0];
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

Subject topic_and_hosts(const State& /*state*/, const MethodCall& call) {
  std::vector<std::string> hosts;
  if (auto host = host_argument(call, "host")) hosts.push_back(std::move(*host));
  if (const auto* list = json::find_array(call.args, "hosts")) {
    for (const auto& host : *list)
      if (host.is_string()) hosts.emplace_back(host.get_string());
  }
  return {.topic = text_argument(call, "topic"), .hosts = std::move(hosts)};
}

Subject compute_topic(const State& /*state*/, const MethodCall& /*call*/) {
  return {.topic = std::string(fleet::compute_topic), .is_of_instances = true};
}

Result<void> check_role(const Caller& caller, std::string_view method) {
  const auto* known = find_method(method);
  if (may_call(caller.role, known == nullptr ? admins : known->callers)) return {};
  return denied(caller, "may not call " + std::string(method));
}

Result<void> check_scope(const State& state, const Caller& caller, const Method& method, const MethodCall& call) {
  if (caller.role == Role::reader) {
    if (method.effect == Effect::reads || changes_nothing(call)) return {};
    return denied(caller, call.method + ": expected dry_run: true, since its role changes nothing");
  }
  if (caller.role == Role::admin || method.subject == nullptr || changes_nothing(call)) return {};
  const auto subject = method.subject(state, call);
  if (caller.role == Role::agent) {
    if (auto checked = check_hosts(caller, call, subject); !checked) return checked;
    if (caller.topics.empty()) return check_topic_known(state, caller, call, subject);
  }
  return check_topic(caller, call, subject);
}

}  // namespace gantry::scheduling
