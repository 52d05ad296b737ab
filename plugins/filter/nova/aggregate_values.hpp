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

// How a text is read as a number: `whole` by Python's int(), `real` by float().
enum class number_kind { whole, real };

// Nova's validate_num_values: returns the least of the values, read as numbers of `kind`. Returns the fallback if
// there are no values or a value cannot be read. Icehouse compares the values as texts and reads only the least text.
// `values` are the metadata texts without duplicates.
boost::json::value least_number(std::span<const std::string> values, number_kind kind,
                                const boost::json::value& fallback, release release);

}  // namespace filter_driver
