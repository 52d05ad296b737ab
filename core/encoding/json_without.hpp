// SPDX-License-Identifier: Apache-2.0
//
// JSON text of a part of a value.
#pragma once

#include "core/encoding/json.hpp"

namespace gantry::json {

// As json::write, but members whose key is one to leave out are left out, at every depth.
std::string write_without(const object& object, bool (*left_out)(std::string_view key));

}  // namespace gantry::json
