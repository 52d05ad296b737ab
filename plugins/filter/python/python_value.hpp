// SPDX-License-Identifier: Apache-2.0
//
// Truth, equality and order of Python values. bool, int and float are all numbers and compare exactly by value.
#pragma once

#include <boost/json.hpp>
#include <compare>
#include <cstdint>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// bool(value): None, False, 0, 0.0, "", [] and {} are false.
bool is_true(const boost::json::value& value);

// left == right: values of different types are unequal. The order of a dict's keys does not matter.
bool equal_values(const boost::json::value& left, const boost::json::value& right);

enum class comparison { less, at_most, equal, unequal, at_least, greater };

// `<`, `<=`, `==`, `!=`, `>=`, `>`
std::string_view sign_of(comparison comparison);

// Returns whether the comparison is true for two values in this order. For unordered values only `unequal` is true.
bool holds(comparison comparison, std::partial_ordering order);

// Compares left with right. Numbers, texts and lists are ordered, each kind among themselves. Ordering anything else
// raises TypeError with both types in the sentence.
outcome<bool> compare_values(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// Compares as Python 2 does, which orders all values: None, then numbers, dicts, lists, texts. Dicts compare by
// length, then by the least key whose values differ.
bool compare_values_in_python_2(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// Compares two numbers without rounding. NaN is unordered.
std::partial_ordering compare_numbers(const boost::json::value& left, const boost::json::value& right);

// Returns true for a bool, an int or a float.
bool is_number(const boost::json::value& value);

}  // namespace filter_driver
