// SPDX-License-Identifier: Apache-2.0
//
// The server group of a request as a decision reads it.
#pragma once

#include <gantry/driver.hpp>

#include "hosts/host_table.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

// Completes the request's server group by the group that the core found for the request's hint. Fields that the request
// sets itself take precedence. The hosts of both are joined.
void adopt_group(const gantry::request& request, const host_table& hosts, request_facts& facts);

// Copies the group's policy into the list of policies, where releases before Zed read it. The older interface sets the
// policy alone.
void read_as_before_zed(request_facts& facts);

}  // namespace filter_driver
