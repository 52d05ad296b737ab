// SPDX-License-Identifier: Apache-2.0
//
// Nova's versioned objects as messages carry them. Each object lies in an envelope: a JSON object whose member
// nova_object.name names the type, nova_object.version gives its version, and nova_object.data holds the fields.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Returns whether the value is the envelope of an object with this type name.
bool is_nova_object(const json::value& value, std::string_view name);

// Removes every envelope in `value`, at every depth. An envelope is replaced by the fields in it. If the only field is
// a list `objects`, the envelope is replaced by that list.
void open_envelopes(json::value& value);

}  // namespace gantry::scheduling
