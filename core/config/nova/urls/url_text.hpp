// SPDX-License-Identifier: Apache-2.0
//
// The text of parts of URLs, as Python decodes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::config::nova {

// Decodes %40 and the like. A % that no two hexadecimal digits follow stands for itself. `plus_is_space`: as in a query.
std::string percent_decoded(std::string_view text, bool plus_is_space = false);

// Calls `take` with each name and value of a query, decoded. `separators` are the signs between pairs. A name without a
// value is dropped. Returns the first error of `take`.
Result<void> each_parameter(std::string_view query, std::string_view separators,
                            const std::function<Result<void>(const std::string& name, const std::string& value)>& take);

}  // namespace gantry::config::nova
