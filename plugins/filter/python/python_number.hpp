// SPDX-License-Identifier: Apache-2.0
//
// Python 3's float(text) and int(text). Both accept surrounding blanks, a sign, underscores between digits, and
// digits of any script. float() also accepts "inf", "infinity" and "nan" in any case.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Returns float(text). Raises ValueError if the text is not a number.
outcome<double> float_of(std::string_view text);

// Returns int(text) as an int64, as a uint64 if it only fits there, or else as the nearest double. Raises ValueError if
// the text is not an int or has more than 4300 digits.
outcome<boost::json::value> int_of(std::string_view text);

// Returns the double nearest to a decimal number. `digits` must be valid, in ASCII, without blanks and underscores.
// "1e400" is infinite, "1e-400" is 0.
double nearest_double(std::string_view digits);

// Returns a whole number as an int64 if it fits there. Other numbers stay doubles. NaN becomes null.
boost::json::value int_or_double(double number);

}  // namespace filter_driver
