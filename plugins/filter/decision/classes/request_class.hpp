// SPDX-License-Identifier: Apache-2.0
//
// The class of a request. Two requests are in one class if they are equal in everything that a filter or weigher reads.
#pragma once

#include <gantry/driver.hpp>
#include <optional>
#include <string>

#include "policy/policy.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

// Returns the key of the request's class. Equal keys mean equal classes. Empty if the request has no class:
// - the view is a derived one, or the request asks for an explanation;
// - the request has a group, hints or PCI devices, or names hosts;
// - an enabled filter reads more than the host's row, or a filter or weigher is of another library.
std::optional<std::string> class_of(const gantry::request& request, const request_facts& facts, const policy& rules);

}  // namespace filter_driver
