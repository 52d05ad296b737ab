// SPDX-License-Identifier: Apache-2.0
//
// From the members of Nova's RequestSpec, without envelopes, to what the rules read. What has another form than Nova's
// is left out, as if it were not there.
#pragma once

#include "request_facts.hpp"

namespace filter_driver {

// Copies all that it takes: facts may outlive the memory of `spec`.
request_facts read_request(const boost::json::object& spec);

}  // namespace filter_driver
