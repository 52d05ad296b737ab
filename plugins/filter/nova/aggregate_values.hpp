// SPDX-License-Identifier: Apache-2.0
//
// What the values of one metadata key in a host's aggregates come to (nova/scheduler/filters/utils.py): the least
// number.
#pragma once

#include <boost/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nova/release.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

enum class number_kind { whole, real };

// validate_num_values: the least of the values, read by int() or float(); the fallback if there is none or one of them
// is no such number. Icehouse reads but the least of the texts. The values are raw, each once.
boost::json::value least_number(std::span<const std::string> values, number_kind kind,
                                const boost::json::value& fallback, release release);

}  // namespace filter_driver
