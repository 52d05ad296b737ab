// SPDX-License-Identifier: Apache-2.0
//
// A JSON text as Python's json.loads() takes it, which Boost's parser does not quite: floats are the nearest double, an
// int beyond 64 bits is the nearest double, NaN, Infinity and -Infinity are numbers, 1e400 is infinite, lone surrogates
// are characters and the last of equal keys wins in the place of the first.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Raises ValueError (Python: JSONDecodeError, a kind of it) with the place, and RecursionError beyond 900 levels. All of the
// value is in `memory`.
outcome<boost::json::value> read_json(std::string_view text, const boost::json::storage_ptr& memory = {});

}  // namespace filter_driver
