// SPDX-License-Identifier: Apache-2.0
//
// Strips and splits text as Python's str.strip() and str.split() do. Blanks are the characters that Unicode calls white
// space, and the control characters 0x1c to 0x1f. Returned views point into the given text.
#pragma once

#include <string_view>
#include <vector>

namespace filter_driver {

// Returns the text without the blanks at its ends: str.strip().
std::string_view without_blanks(std::string_view text);

// Returns the words between blanks: str.split(). No word is empty.
std::vector<std::string_view> words_of(std::string_view text);

// Returns the parts between separators: str.split(separator). Parts may be empty. An empty text gives one empty part.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace filter_driver
