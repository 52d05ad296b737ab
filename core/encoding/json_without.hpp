// SPDX-License-Identifier: Apache-2.0
//
// Writes JSON without the members that a reader must not see, such as passwords.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::json {

// Writes as json::write does, but leaves out each member, at any depth, for whose key `left_out` returns true.
std::string write_without(const object& object, bool (*left_out)(std::string_view key));

}  // namespace gantry::json
