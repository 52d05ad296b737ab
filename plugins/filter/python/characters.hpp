// SPDX-License-Identifier: Apache-2.0
//
// A text of UTF-8 as Python has it: one character after another.
#pragma once

#include <cstddef>
#include <string_view>

namespace filter_driver {

struct character {
  char32_t code;
  std::size_t bytes;
};

// The first character of a text that is not empty. A byte that is not UTF-8 becomes the lone surrogate by which Python
// stands for it; a surrogate that is written as UTF-8 would write it is taken as it is.
character first_character(std::string_view text);

}  // namespace filter_driver
