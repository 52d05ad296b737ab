// SPDX-License-Identifier: Apache-2.0
//
// str() and repr() as Python 3 writes them. Python values are JSON values: None is null, an int is an int64 or
// uint64, a float is a double, a list is an array, a dict is an object in its order.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace filter_driver {

// Returns str(value): a text as it is, any other value as its repr().
std::string str_of(const boost::json::value& value);

// Returns repr(value). Texts are quoted, with control characters and invisible characters escaped. Floats have the
// fewest digits that give the same float when read again.
std::string repr_of(const boost::json::value& value);
std::string repr_of(std::string_view text);

// Returns the type's name as in Python's messages: NoneType, bool, int, float, str, list, dict.
std::string_view type_name(const boost::json::value& value);

}  // namespace filter_driver
