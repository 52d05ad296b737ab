// SPDX-License-Identifier: Apache-2.0
//
// Reads UTF-8 text character by character, as Python does.
#pragma once

#include <cstddef>
#include <string_view>

namespace filter_driver {

struct character {
  char32_t code;
  std::size_t bytes;
};

// Returns the first character of a nonempty text. A byte that is not valid UTF-8 becomes the lone surrogate that
// Python uses for the byte. A surrogate encoded in UTF-8 is returned as this surrogate.
character first_character(std::string_view text);

}  // namespace filter_driver
