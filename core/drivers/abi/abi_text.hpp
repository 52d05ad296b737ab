// SPDX-License-Identifier: Apache-2.0
//
// Text that crosses the ABI, both ways.
#pragma once

#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::drivers {

inline gantry_string to_abi(std::string_view text) {
  return {text.data(), text.size()};
}

// {NULL, n} is read as empty.
inline std::string_view from_abi(gantry_string text) {
  return text.data == nullptr ? std::string_view{} : std::string_view(text.data, text.size);
}

// Returns a driver's sentence for people: at most 4096 bytes, with U+FFFD for bytes that are not UTF-8.
std::string sentence_of(gantry_string text);
// The same without a copy if the text needs no change. Otherwise the result refers to `mended`.
std::string_view readable(gantry_string text, std::string& mended);

}  // namespace gantry::drivers
