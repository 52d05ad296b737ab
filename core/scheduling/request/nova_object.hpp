// SPDX-License-Identifier: Apache-2.0
//
// Nova's versioned objects on the wire: {"nova_object.name", ".version", ".data", ".changes"} around each object.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Whether the value is a versioned object with this name.
bool is_nova_object(const json::value& value, std::string_view name);

// Removes every envelope, at every depth. An object becomes its data. A list object ({objects: [...]}) becomes the
// list.
void open_envelopes(json::value& value);

}  // namespace gantry::scheduling
