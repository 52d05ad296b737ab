// SPDX-License-Identifier: Apache-2.0
//
// Reads UTF-8 text character by character, as Python does.
#pragma once

#include <cstddef>
#include <string_view>

namespace filter_driver {

// A character of a UTF-8 text.
struct character {
  char32_t code;      // the code point
  std::size_t bytes;  // the length in the text
};

// Returns the first character of a nonempty text. A byte that is not valid UTF-8 becomes the lone surrogate 0xdc00 +
// byte, as in Python. A surrogate that is encoded in UTF-8 is returned as it is.
character first_character(std::string_view text);

}  // namespace filter_driver
