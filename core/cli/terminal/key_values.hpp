// SPDX-License-Identifier: Apache-2.0
//
// Words of the form key=value as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

// A value is JSON if it reads as such, else text. a.b=c makes {"a": {"b": "c"}}. A key given twice, or as a value and
// as an object at once, is an error.
Result<json::object> nested_from_words(const std::vector<std::string>& words);

// Every value is text and a dot means nothing. A key given again makes a list if `lists`, else the last one counts.
Result<json::object> texts_from_words(const std::vector<std::string>& words, bool lists);

}  // namespace gantry::cli
