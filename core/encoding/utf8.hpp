// SPDX-License-Identifier: Apache-2.0
//
// UTF-8 as Unicode defines it: shortest forms only, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace gantry {

// How many bytes the character at the front of the text takes, 1 to 4; 0 if there is no valid one.
std::size_t utf8_front_length(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace gantry
