// SPDX-License-Identifier: Apache-2.0
//
// The decimal digits of all scripts (Unicode's category Nd), which Python's float() and int() take for 0 to 9.
#pragma once

#include <string>
#include <string_view>

namespace filter_driver {

// Returns the text with each decimal digit replaced by the ASCII digit of the same value.
std::string with_ascii_digits(std::string_view text);

}  // namespace filter_driver
