// SPDX-License-Identifier: Apache-2.0
//
// Truth, equality and order of Python values, as JSON values (python_text.hpp). bool, int and float are all numbers and
// compare exactly by value.
#pragma once

#include <boost/json.hpp>
#include <compare>
#include <cstdint>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Returns bool(value): None, False, 0, 0.0, "", [] and {} are false.
bool is_true(const boost::json::value& value);

// Returns left == right. A number and a text, or other values of different kinds, are unequal. The order of a dict's
// keys does not matter.
bool equal_values(const boost::json::value& left, const boost::json::value& right);

enum class comparison { less, at_most, equal, unequal, at_least, greater };

// Returns Python's operator: `<`, `<=`, `==`, `!=`, `>=` or `>`.
std::string_view sign_of(comparison comparison);

// Returns whether the comparison is true for two values whose order is `order`. For unordered values, such as NaN, only
// `unequal` is true.
bool holds(comparison comparison, std::partial_ordering order);

// Returns whether the comparison of left with right is true. All values can be equal or unequal. Only two numbers, two
// texts or two lists have an order. Any other pair raises TypeError, with both types in the sentence, if the comparison
// asks for an order.
outcome<bool> compare_values(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// The same as in Python 2, which orders all values: None, then numbers, dicts, lists, texts. Dicts compare by length,
// then by the least key whose values differ.
bool compare_values_in_python_2(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// Returns the order of two numbers, without rounding. NaN is unordered.
std::partial_ordering compare_numbers(const boost::json::value& left, const boost::json::value& right);

// Returns true for a bool, an int or a float.
bool is_number(const boost::json::value& value);

}  // namespace filter_driver
