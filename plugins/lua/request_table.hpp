// SPDX-License-Identifier: Apache-2.0
//
// The request as a table of Lua, and JSON as values of Lua: objects and arrays are tables, null is nil.
#pragma once

#include <gantry/driver.hpp>
#include "lua_headers.hpp"

namespace lua_driver {

// Pushes the table. `request.spec`, the whole request spec, is read when the script first asks for it.
void push_request_table(lua_State* lua, const gantry::request& request);

void push_json(lua_State* lua, gantry_string json);
void push_text(lua_State* lua, gantry_string text);
// Pushes a table of the keys and values.
void push_pairs(lua_State* lua, gantry_pairs pairs);

}  // namespace lua_driver
