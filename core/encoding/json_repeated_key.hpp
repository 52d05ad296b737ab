// SPDX-License-Identifier: Apache-2.0
//
// Finds where a JSON text repeats a key in one object. Slow: meant only for a text that the parser has refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::json {

struct RepeatedKey {
  std::size_t at = 0;  // the offset of the byte after the key's second occurrence
  std::string key;     // as a JSON string, quoted and escaped
};

// Returns the first repetition. Requires a text that is valid JSON apart from repeated keys. `depth` limits the
// nesting.
RepeatedKey first_repeated_key(std::string_view text, std::size_t depth);

}  // namespace gantry::json
