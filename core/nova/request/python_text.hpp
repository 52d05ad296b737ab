// SPDX-License-Identifier: Apache-2.0
//
// Texts as Python reads and shows them, as far as extra specs and image properties need. Blanks and digits are those of
// ASCII.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::nova {

// Returns the text without blanks at both ends, as str.strip does.
std::string_view python_strip(std::string_view text);

// Returns the decimal digits of int(text), with a minus if negative: "7" for " +0_7". nullopt where int() fails. The
// number may be of any size that int() reads.
std::optional<std::string> python_int(std::string_view text);

// Returns the text as oslo.utils' bool_from_string reads it. A text that is neither true nor false is false.
bool python_bool(std::string_view text);

// Returns repr(text).
std::string python_repr(std::string_view text);

// Returns the text with the letters of ASCII in upper case.
std::string python_upper(std::string_view text);

// Splits at each separator. An empty text is one empty part.
std::vector<std::string_view> python_split(std::string_view text, char separator);

}  // namespace gantry::nova
