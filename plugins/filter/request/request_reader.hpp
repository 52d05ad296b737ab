// SPDX-License-Identifier: Apache-2.0
//
// From the members of Nova's RequestSpec, without envelopes, to what the rules read. What has another form than Nova's
// is left out, as if it were not there.
#pragma once

#include <optional>
#include <string_view>

#include "request/request_facts.hpp"

namespace filter_driver {

// Of a JSON text. None: it is no object.
std::optional<request_facts> read_request(std::string_view spec);

}  // namespace filter_driver
