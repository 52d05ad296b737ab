// SPDX-License-Identifier: Apache-2.0
//
// Finds where a JSON text repeats a key. Slow: only a text that the parser refused is read a second time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::json {

struct RepeatedKey {
  std::size_t at = 0;  // the byte after the second occurrence
  std::string key;     // as a JSON string, in quotes
};

// Returns the first repetition. Requires a text that is JSON but for repeated keys.
RepeatedKey first_repeated_key(std::string_view text, std::size_t depth);

}  // namespace gantry::json
