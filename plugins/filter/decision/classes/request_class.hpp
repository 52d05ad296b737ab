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

// Returns the key of the request's class. Requests with equal keys are in one class. nullopt if the request has no
// class, so that its results must not be cached:
// - the view is a derived one, or the request asks for an explanation of each host;
// - the request has a server group or scheduler hints (null too), asks for PCI devices, or has no flavor;
// - the request names hosts: a destination, or hosts that are forced, ignored or already tried;
// - the NUMA topology or the PCI requests cannot be read;
// - an enabled filter reads more than the host's row, or an enabled filter or weigher is of another library;
// - more than 200 filters are enabled.
std::optional<std::string> class_of(const gantry::request& request, const request_facts& facts, const policy& rules);

}  // namespace filter_driver
