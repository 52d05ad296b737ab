// SPDX-License-Identifier: Apache-2.0
//
// Reduces the values of one metadata key in a host's aggregates to the least number
// (nova/scheduler/filters/utils.py).
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

// Nova's validate_num_values: returns the least of the values, read by int() or float(). Returns the fallback if
// there are no values or a value cannot be read. Icehouse reads only the least of the texts. `values` are raw texts
// without duplicates.
boost::json::value least_number(std::span<const std::string> values, number_kind kind,
                                const boost::json::value& fallback, release release);

}  // namespace filter_driver
