// SPDX-License-Identifier: Apache-2.0
//
// Nova's versioned objects on the wire: {"nova_object.name", ".version", ".data", ".changes"} around each object.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::scheduling {

// Whether the value is a versioned object of that name.
bool is_nova_object(const json::value& value, std::string_view name);

// The same without any envelope, at every depth: an object becomes its data, a list object ({objects: [...]}) the list.
json::value without_envelopes(const json::value& value);
// The same, without the members whose keys are secret, in `memory`.
json::value without_envelopes_and_secrets(const json::value& value, const boost::json::storage_ptr& memory);

// An envelope of the nova namespace around `data`, with every field listed as changed.
json::object nova_object(std::string_view name, std::string_view version, json::object data);

}  // namespace gantry::scheduling
