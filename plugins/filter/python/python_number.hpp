// SPDX-License-Identifier: Apache-2.0
//
// float(text) and int(text) as Python 3 has them: blanks around, a sign, underscores between digits, digits of any
// script, and for float() "inf", "infinity" and "nan" in any case.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Raises ValueError.
outcome<double> float_of(std::string_view text);

// An int64; a uint64 where it takes one; beyond that, the nearest double. Raises ValueError.
outcome<boost::json::value> int_of(std::string_view text);

// A number without blanks or underscores, as float() reads it: "1e400" is infinite, "1e-400" 0.
double nearest_double(std::string_view digits);

}  // namespace filter_driver
