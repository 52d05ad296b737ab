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

// The topic and the hosts that a call is about. A member that is not set is not checked.
struct Subject {
  std::optional<std::string> topic = {};               // "" if the call should name one and does not
  std::optional<std::vector<std::string>> hosts = {};  // empty if the call should name one and does not
};

// The subject of methods with the arguments `topic` and `host` or `hosts`.
Subject topic_and_hosts(const State& state, const MethodCall& call);
// The text of an argument. Empty if the argument is not there or is not a text: the method itself refuses that.
std::string text_argument(const MethodCall& call, std::string_view name);
// The host that an argument names: a text, or the first of a pair [host, node].
std::optional<std::string> host_argument(const MethodCall& call, std::string_view name);

// Checks whether the caller's role may call the method at all; the error is permission_denied. The check needs no
// arguments, so a transport makes the check before it reads a body.
Result<void> check_role(const Caller& caller, std::string_view method);

// Whether the caller may make this call: an agent calls for its own host, a service on its own topics, and a reader
// changes nothing. Error permission_denied if not.
Result<void> check_scope(const State& state, const Caller& caller, const Method& method, const MethodCall& call);

}  // namespace gantry::scheduling
