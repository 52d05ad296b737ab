// SPDX-License-Identifier: Apache-2.0
//
// Finds where a JSON text repeats a key: the slow second reading that only a refused text gets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::json {

struct RepeatedKey {
  std::size_t at = 0;  // byte just behind the second occurrence
  std::string key;     // as a JSON string, in quotes
};

// For a text that parses; the first repetition.
RepeatedKey first_repeated_key(std::string_view text, std::size_t depth);

}  // namespace gantry::json
