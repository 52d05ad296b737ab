// SPDX-License-Identifier: Apache-2.0
//
// Reads request_facts from the JSON of a request spec, in which the core hands each request to the driver. The spec has
// the members of Nova's RequestSpec, without a "nova_object.data" around them. A member of another JSON type than in
// Nova counts as absent.
#pragma once

#include <optional>
#include <string_view>

#include "request/request_facts.hpp"

namespace filter_driver {

// `spec` is the JSON text. Returns nullopt if it is not a JSON object.
std::optional<request_facts> read_request(std::string_view spec);

}  // namespace filter_driver
