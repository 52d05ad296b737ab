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

// A driver's words for people: at most 4096 bytes, bytes that are no UTF-8 as U+FFFD.
std::string sentence_of(gantry_string text);
// The same without a copy where it is fit to be read as it is; otherwise in `mended`.
std::string_view readable(gantry_string text, std::string& mended);

}  // namespace gantry::drivers
