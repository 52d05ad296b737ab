// SPDX-License-Identifier: Apache-2.0
//
// str() and repr() of a Python value, as Python 3 writes them. A Python value is a JSON value: None is null, an int an
// int64 or uint64, a float a double, a list an array and a dict an object in its order.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace filter_driver {

// str(): a text stays as it is, all else is its repr().
std::string str_of(const boost::json::value& value);

// repr(): texts in quotes, with controls and invisible characters escaped. Floats have the fewest digits that round-trip.
std::string repr_of(const boost::json::value& value);
std::string repr_of(std::string_view text);

// The name of its type as Python's messages have it: NoneType, bool, int, float, str, list, dict.
std::string_view type_name(const boost::json::value& value);

}  // namespace filter_driver
