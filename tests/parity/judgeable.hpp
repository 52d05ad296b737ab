// SPDX-License-Identifier: Apache-2.0
//
// Says which records cannot be judged: Nova was asked something that the record does not hold.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace filter_driver::parity {

// Returns why the record cannot be judged. Empty if it can:
// - it lacks a member that its kind needs, such as "host";
// - it holds a mock, {"_opaque": ...}, that the record does not list as without influence;
// - it names filters or weighers of Nova's own tests.
std::string why_not_judged(const boost::json::object& record);

// Returns what the record lacks of what may have decided in Nova, and may explain a difference: "spec", the state of
// the services that ComputeFilter asks for, or an attribute that each of Nova's host states has, as in
// "host.free_ram_mb". Empty if it lacks nothing. Nova's tests make hosts with those attributes alone that they need.
std::string what_is_lacking(const boost::json::object& record);

}  // namespace filter_driver::parity
