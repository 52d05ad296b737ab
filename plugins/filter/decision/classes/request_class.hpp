// SPDX-License-Identifier: Apache-2.0
//
// Which requests are alike: those in which all that a filter or weigher reads of a request is equal.
#pragma once

#include <gantry/driver.hpp>
#include <optional>
#include <string>

#include "policy/policy.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

// The request's class; equal texts, equal classes. nullopt: it is in none, as what becomes of a host depends on more than
// the host's row and the request's kind (a group, hints, hosts that it names, PCI devices that it asks for, an explanation that
// it wants, filters that read instances' records or are another library's), or as the view is a derived one.
std::optional<std::string> class_of(const gantry::request& request, const request_facts& facts, const policy& rules);

}  // namespace filter_driver
