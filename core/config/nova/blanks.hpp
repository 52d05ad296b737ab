// SPDX-License-Identifier: Apache-2.0
//
// Texts without their blanks, as Python's str.strip has it: the blanks of ASCII and those of Unicode, such as the
// no-break space of a text that was copied from a page. The texts are UTF-8.
#pragma once

#include <string_view>

namespace gantry::config::nova {

std::string_view left_stripped(std::string_view text);
std::string_view right_stripped(std::string_view text);
// Returns the text without the blanks at both ends.
std::string_view stripped(std::string_view text);

}  // namespace gantry::config::nova
