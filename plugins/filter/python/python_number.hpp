// SPDX-License-Identifier: Apache-2.0
//
// Python 3's float(text) and int(text). Both accept surrounding blanks, a sign, underscores between digits, and
// digits of any script. float() also accepts "inf", "infinity" and "nan" in any case.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Raises ValueError.
outcome<double> float_of(std::string_view text);

// Returns an int64, a uint64 if the number only fits there, or else the nearest double. Raises ValueError.
outcome<boost::json::value> int_of(std::string_view text);

// Returns the double that float() reads from a number without blanks and underscores. "1e400" is infinite, "1e-400"
// is 0.
double nearest_double(std::string_view digits);

}  // namespace filter_driver
