// SPDX-License-Identifier: Apache-2.0
//
// Turns words of the form key=value into JSON.
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

// Returns an object with the keys of all words. Reads a value as JSON if possible, else as text. The word a.b=c makes
// {"a": {"b": "c"}}. Refuses a repeated key, and a key that has both a value and keys below it (a=1 with a.b=2).
Result<json::object> nested_from_words(const std::vector<std::string>& words);

// Returns an object with the keys of all words. Reads each value as text and keeps dots in keys. If a key is repeated,
// its values become a list if `lists` is true. Otherwise the last value counts.
Result<json::object> texts_from_words(const std::vector<std::string>& words, bool lists);

}  // namespace gantry::cli
