// SPDX-License-Identifier: Apache-2.0
//
// Turns words of the form key=value into JSON.
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

// Reads a value as JSON if possible, else as text. a.b=c makes {"a": {"b": "c"}}. Refuses a repeated key, and a key
// that is both a value and an object.
Result<json::object> nested_from_words(const std::vector<std::string>& words);

// Reads each value as text and keeps dots in keys. A repeated key makes a list if `lists`, else the last value counts.
Result<json::object> texts_from_words(const std::vector<std::string>& words, bool lists);

}  // namespace gantry::cli
