// SPDX-License-Identifier: Apache-2.0
//
// Splits text at blanks and commas as Python's str.strip() and str.split() do. A blank is every character that
// Unicode calls white space, and each of the four separators from 0x1c on. Returned views point into the given text.
#pragma once

#include <string_view>
#include <vector>

namespace filter_driver {

// str.strip()
std::string_view without_blanks(std::string_view text);

// str.split(): the words between blanks. No word is empty.
std::vector<std::string_view> words_of(std::string_view text);

// str.split(separator): an empty text gives one empty part.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace filter_driver
