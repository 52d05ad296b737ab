// SPDX-License-Identifier: Apache-2.0
//
// The access checks: which methods a role may call, and which topics and hosts its calls may be about. The rows of the
// method table say which roles may call a method, and how a call names its topic and hosts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The topic and the hosts that a call is about. nullopt: the access checks ignore the topic or the hosts of this call.
struct Subject {
  std::optional<std::string> topic = {};               // "" if the call must name a topic and names none
  std::optional<std::vector<std::string>> hosts = {};  // an empty list if the call must name a host and names none
  // True: the call is about instances, for which a service without topics of its own speaks too.
  bool is_of_instances = false;
};

// Returns the subject of a call with the arguments `topic` and `host` or `hosts`. Fits into Method::subject.
Subject topic_and_hosts(const State& state, const MethodCall& call);
// The subject of a call about instances, their groups and aggregates, which are of topic compute. Fits into
// Method::subject.
Subject compute_topic(const State& state, const MethodCall& call);
// Returns the text of an argument. Empty if the argument is missing or is not a text. check_arguments refuses a wrong
// type later.
std::string text_argument(const MethodCall& call, std::string_view name);
// Returns the host that an argument names: the text itself, or the first text of a pair [host, node]. nullopt if the
// argument is neither.
std::optional<std::string> host_argument(const MethodCall& call, std::string_view name);

// Checks that the caller's role may call the method at all. Error permission_denied if not. The check needs no
// arguments, so a transport makes the check before it reads a body.
Result<void> check_role(const Caller& caller, std::string_view method);

// Checks that the caller may make this call. An agent may call for its own host and topics, or for each topic that is
// known if it has none of its own; a service for its own topics, whose instances, server groups and aggregates are those
// of topic compute. A service without topics speaks for these alone. A reader's call must change nothing. An admin may make every call. Error permission_denied if not.
Result<void> check_scope(const State& state, const Caller& caller, const Method& method, const MethodCall& call);

}  // namespace gantry::scheduling
