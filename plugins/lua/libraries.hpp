// SPDX-License-Identifier: Apache-2.0
//
// The functions of Lua that a policy has: parts of the base library, math, string, table and utf8, and the table
// `gantry`. Left out is all that reaches files, programs, clocks, bytecode or metatables, that catches errors (so that
// the deadline cannot be caught), and that may loop in C without a look at the deadline. pairs() goes in the order of
// the keys, because Lua's own order differs from process to process, and a decision must not.
#pragma once

#include "lua_headers.hpp"

namespace lua_driver {

// Pushes the table of the global variables of scripts. Reads find the libraries and what the script has set; a write
// fails once the sandbox forbids globals.
void push_environment(lua_State* lua);

}  // namespace lua_driver
