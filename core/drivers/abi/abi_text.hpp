// SPDX-License-Identifier: Apache-2.0
//
// Converts text between C++ and the ABI's gantry_string.
#pragma once

#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::drivers {

inline gantry_string to_abi(std::string_view text) {
  return {text.data(), text.size()};
}

// Returns an empty text for a NULL pointer of any size.
inline std::string_view from_abi(gantry_string text) {
  return text.data == nullptr ? std::string_view{} : std::string_view(text.data, text.size);
}

// Returns a driver's text as valid UTF-8 for people to read: at most its first 4096 bytes, with U+FFFD in place of each
// byte that is not UTF-8.
std::string sentence_of(gantry_string text);
// Returns the same text as sentence_of. A text that is UTF-8 is not copied. Otherwise the result refers to
// `mended`.
std::string_view readable(gantry_string text, std::string& mended);

}  // namespace gantry::drivers
