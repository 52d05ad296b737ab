// SPDX-License-Identifier: Apache-2.0
//
// Truth, equality and order of Python values. bool, int and float are all numbers and compare by what they are worth,
// exactly.
#pragma once

#include <boost/json.hpp>
#include <compare>
#include <cstdint>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// bool(value): None, False, 0, 0.0, "", [] and {} are false.
bool is_true(const boost::json::value& value);

// left == right: unlike types are unequal, dicts are equal in any order of their keys.
bool equal_values(const boost::json::value& left, const boost::json::value& right);

enum class comparison { less, at_most, equal, unequal, at_least, greater };

// `<`, `<=`, `==`, `!=`, `>=`, `>`
std::string_view sign_of(comparison comparison);

// Whether what stands in that order compares so; what is unordered is only unequal.
bool holds(comparison comparison, std::partial_ordering order);

// left `comparison` right. Numbers, texts and lists have an order, each among themselves; raises TypeError for the order
// of anything else, with both types in the sentence.
outcome<bool> compare_values(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// The same as Python 2 has it, which orders everything: None before numbers before dicts before lists before texts; dicts
// by their lengths, then by the least key whose values differ.
bool compare_values_in_python_2(comparison comparison, const boost::json::value& left, const boost::json::value& right);

// Two numbers, neither rounded; NaN is unordered.
std::partial_ordering compare_numbers(const boost::json::value& left, const boost::json::value& right);

// A bool, an int or a float.
bool is_number(const boost::json::value& value);

}  // namespace filter_driver
