// SPDX-License-Identifier: Apache-2.0
#include "python/python_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "python/python_text.hpp"

namespace filter_driver {
namespace {

using boost::json::kind;

// A whole number as a sign and a magnitude.
struct integer {
  bool negative;
  std::uint64_t magnitude;

  std::strong_ordering operator<=>(const integer& other) const {
    if (negative != other.negative) return negative ? std::strong_ordering::less : std::strong_ordering::greater;
    return negative ? other.magnitude <=> magnitude : magnitude <=> other.magnitude;
  }
  bool operator==(const integer& other) const = default;
};

integer integer_of(const boost::json::value& value) {
  switch (value.kind()) {
    case kind::bool_: return {false, value.get_bool() ? 1U : 0U};
    case kind::uint64: return {false, value.get_uint64()};
    default: break;
  }
  const std::int64_t number = value.get_int64();
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? integer{true, 0 - bits} : integer{false, bits};
}

std::partial_ordering compare(double left, const integer& right) {
  if (std::isnan(left)) return std::partial_ordering::unordered;
  constexpr double beyond = 18446744073709551616.0;
  if (left >= beyond) return std::partial_ordering::greater;
  if (left <= -beyond) return std::partial_ordering::less;
  const double whole = std::trunc(left);
  const integer rounded = {whole < 0, static_cast<std::uint64_t>(std::fabs(whole))};
  const std::strong_ordering order = rounded <=> right;
  return order != std::strong_ordering::equal ? std::partial_ordering(order) : left <=> whole;
}

std::partial_ordering reversed(std::partial_ordering order) {
  if (std::is_lt(order)) return std::partial_ordering::greater;
  return std::is_gt(order) ? std::partial_ordering::less : order;
}

bool equal_dicts(const boost::json::object& left, const boost::json::object& right) {
  return left.size() == right.size() && std::all_of(left.begin(), left.end(), [&](const auto& item) {
           const boost::json::value* const other = right.if_contains(item.key());
           return other != nullptr && equal_values(item.value(), *other);
         });
}

// The first pair of unequal items decides. If there is none, the lengths decide.
outcome<bool> compare_lists(comparison comparison, const boost::json::array& left, const boost::json::array& right) {
  const std::size_t shorter = std::min(left.size(), right.size());
  for (std::size_t item = 0; item < shorter; ++item) {
    if (!equal_values(left[item], right[item])) return compare_values(comparison, left[item], right[item]);
  }
  return holds(comparison, left.size() <=> right.size());
}

// Python 2 orders different types by their names. Numbers have an empty name there, and None comes first.
int rank_in_python_2(const boost::json::value& value) {
  if (value.is_null()) return 0;
  if (is_number(value)) return 1;
  return value.is_object() ? 2 : value.is_array() ? 3 : 4;
}

std::partial_ordering order_in_python_2(const boost::json::value& left, const boost::json::value& right);

// Returns the least key of one dict whose value differs or is missing in the other dict.
const boost::json::key_value_pair* least_difference(const boost::json::object& one, const boost::json::object& other) {
  const boost::json::key_value_pair* least = nullptr;
  for (const boost::json::key_value_pair& item : one) {
    const boost::json::value* const same = other.if_contains(item.key());
    if (same != nullptr && equal_values(item.value(), *same)) continue;
    if (least == nullptr || item.key() < least->key()) least = &item;
  }
  return least;
}

std::partial_ordering dict_order_in_python_2(const boost::json::object& left, const boost::json::object& right) {
  if (left.size() != right.size()) return left.size() <=> right.size();
  const boost::json::key_value_pair* const of_left = least_difference(left, right);
  const boost::json::key_value_pair* const of_right = least_difference(right, left);
  if (of_left == nullptr || of_right == nullptr) return std::partial_ordering::equivalent;
  const int keys = of_left->key().compare(of_right->key());
  return keys != 0 ? keys <=> 0 : order_in_python_2(of_left->value(), of_right->value());
}

std::partial_ordering order_in_python_2(const boost::json::value& left, const boost::json::value& right) {
  const int rank = rank_in_python_2(left);
  if (rank != rank_in_python_2(right)) return rank <=> rank_in_python_2(right);
  switch (rank) {
    case 0: return std::partial_ordering::equivalent;
    case 1: return compare_numbers(left, right);
    case 2: return dict_order_in_python_2(left.get_object(), right.get_object());
    case 4: return std::string_view(left.get_string()) <=> std::string_view(right.get_string());
    default: break;
  }
  const boost::json::array& one = left.get_array();
  const boost::json::array& other = right.get_array();
  for (std::size_t item = 0; item < std::min(one.size(), other.size()); ++item) {
    if (!equal_values(one[item], other[item])) return order_in_python_2(one[item], other[item]);
  }
  return one.size() <=> other.size();
}

}  // namespace

bool holds(comparison comparison, std::partial_ordering order) {
  switch (comparison) {
    case comparison::less: return std::is_lt(order);
    case comparison::at_most: return std::is_lteq(order);
    case comparison::equal: return std::is_eq(order);
    case comparison::unequal: return std::is_neq(order);
    case comparison::at_least: return std::is_gteq(order);
    case comparison::greater: break;
  }
  return std::is_gt(order);
}

bool is_number(const boost::json::value& value) {
  return value.is_number() || value.is_bool();
}

std::partial_ordering compare_numbers(const boost::json::value& left, const boost::json::value& right) {
  if (left.is_double()) {
    return right.is_double() ? left.get_double() <=> right.get_double() : compare(left.get_double(), integer_of(right));
  }
  if (!right.is_double()) return integer_of(left) <=> integer_of(right);
  return reversed(compare(right.get_double(), integer_of(left)));
}

bool is_true(const boost::json::value& value) {
  switch (value.kind()) {
    case kind::null: return false;
    case kind::bool_: return value.get_bool();
    case kind::int64: return value.get_int64() != 0;
    case kind::uint64: return value.get_uint64() != 0;
    case kind::double_: return value.get_double() != 0;
    case kind::string: return !value.get_string().empty();
    case kind::array: return !value.get_array().empty();
    case kind::object: break;
  }
  return !value.get_object().empty();
}

bool equal_values(const boost::json::value& left, const boost::json::value& right) {
  if (is_number(left) && is_number(right)) return std::is_eq(compare_numbers(left, right));
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case kind::string: return left.get_string() == right.get_string();
    case kind::array:
      return std::equal(left.get_array().begin(), left.get_array().end(), right.get_array().begin(),
                        right.get_array().end(), equal_values);
    case kind::object: return equal_dicts(left.get_object(), right.get_object());
    default: return left.is_null();
  }
}

std::string_view sign_of(comparison comparison) {
  switch (comparison) {
    case comparison::less: return "<";
    case comparison::at_most: return "<=";
    case comparison::equal: return "==";
    case comparison::unequal: return "!=";
    case comparison::at_least: return ">=";
    case comparison::greater: break;
  }
  return ">";
}

outcome<bool> compare_values(comparison comparison, const boost::json::value& left, const boost::json::value& right) {
  if (comparison == comparison::equal) return equal_values(left, right);
  if (comparison == comparison::unequal) return !equal_values(left, right);
  if (is_number(left) && is_number(right)) return holds(comparison, compare_numbers(left, right));
  if (left.is_string() && right.is_string()) {
    return holds(comparison, std::string_view(left.get_string()) <=> std::string_view(right.get_string()));
  }
  if (left.is_array() && right.is_array()) return compare_lists(comparison, left.get_array(), right.get_array());
  return raised{"TypeError", std::string("'").append(sign_of(comparison)) + "' not supported between instances of '" +
                                 std::string(type_name(left)) + "' and '" + std::string(type_name(right)) + "'"};
}

bool compare_values_in_python_2(comparison comparison, const boost::json::value& left,
                                const boost::json::value& right) {
  if (comparison == comparison::equal) return equal_values(left, right);
  if (comparison == comparison::unequal) return !equal_values(left, right);
  return holds(comparison, order_in_python_2(left, right));
}

}  // namespace filter_driver
