// SPDX-License-Identifier: Apache-2.0
//
// Reads request_facts from the members of Nova's RequestSpec, without the envelopes of versioned objects. A member in
// another form than Nova's is skipped, as if it were absent.
#pragma once

#include <optional>
#include <string_view>

#include "request/request_facts.hpp"

namespace filter_driver {

// Reads a JSON text. Empty if the text is not a JSON object.
std::optional<request_facts> read_request(std::string_view spec);

}  // namespace filter_driver
