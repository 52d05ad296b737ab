// SPDX-License-Identifier: Apache-2.0
//
// Text that goes to a terminal: names from hosts and users cannot control the terminal, nor the order in which it shows
// what stands beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gantry {

// Returns the code point that starts at `at`, which moves behind it. A broken sequence counts byte by byte.
std::uint32_t next_code_point(std::string_view text, std::size_t& at);

// Returns the UTF-8 text with control characters escaped as \t, \n or \x1b, line separators and those that turn the
// direction of writing as \u202e.
std::string printable(std::string_view text);

// Returns JSON text that means the same, with these characters escaped as JSON does. Line ends and tabs between values
// stay.
std::string printable_json(std::string_view text);

}  // namespace gantry
