// SPDX-License-Identifier: Apache-2.0
//
// Checks UTF-8 as Unicode defines it: shortest forms only, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace gantry {

// Returns the length of the first character in bytes, 1 to 4. 0 if the text is empty or does not begin with a valid
// character.
std::size_t utf8_front_length(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace gantry
