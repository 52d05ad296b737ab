// SPDX-License-Identifier: Apache-2.0
#include "nova/extra_specs_match.hpp"

#include <algorithm>
#include <cstddef>

#include "python/blanks.hpp"
#include "python/python_number.hpp"

namespace filter_driver {

extra_specs_requirement::extra_specs_requirement(std::string_view text, release release) : whole_(text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty()) return;
  const std::string_view name = words.front();
  operands_.assign(words.begin() + 1, words.end());
  if (name == "<or>") {
    operation_ = operation::any_of;
  } else if (name == "<in>") {
    operation_ = operation::in;
  } else if (name == "<all-in>" && release->knows_all_in) {
    operation_ = operation::all_in;
  } else if (read_comparison(name) && operation_ == operation::number && !operands_.empty()) {
    number_ = float_of(operands_.front());
  }
}

// Nova has no operators < and > for numbers.
bool extra_specs_requirement::read_comparison(std::string_view name) {
  const bool text = name.starts_with('s');
  const std::string_view sign = text ? name.substr(1) : name;
  if (sign == "==") {
    relation_ = relation::equal;
  } else if (sign == "!=") {
    relation_ = relation::unequal;
  } else if (sign == "<=") {
    relation_ = relation::at_most;
  } else if (sign == ">=" || (sign == "=" && !text)) {
    relation_ = relation::at_least;
  } else if (sign == "<" && text) {
    relation_ = relation::less;
  } else if (sign == ">" && text) {
    relation_ = relation::greater;
  } else {
    return false;
  }
  operation_ = text ? operation::text : operation::number;
  return true;
}

outcome<bool> extra_specs_requirement::compare_numbers(std::string_view value) const {
  const outcome<double> left = float_of(value);
  if (!left.ok()) return left.error();
  if (!number_->ok()) return number_->error();
  const double right = number_->value();
  switch (relation_) {
    case relation::at_most: return left.value() <= right;
    case relation::equal: return left.value() == right;
    case relation::unequal: return left.value() != right;
    default: return left.value() >= right;
  }
}

outcome<bool> extra_specs_requirement::met_by(std::optional<std::string_view> value) const {
  if (operation_ == operation::as_it_is) return value == std::string_view(whole_);
  if (!value) return false;
  if (operation_ == operation::any_of) {
    if (operands_.empty()) return raised{"IndexError", "pop from empty list"};
    // Nova takes every second word for the next <or> without looking at it.
    for (std::size_t word = 0; word < operands_.size(); word += 2) {
      if (operands_[word] == *value) return true;
    }
    return false;
  }
  if (operands_.empty()) return false;
  const auto holds = [&](const std::string& part) { return value->find(part) != std::string_view::npos; };
  if (operation_ == operation::all_in) return std::all_of(operands_.begin(), operands_.end(), holds);
  if (operation_ == operation::in) return holds(operands_.front());
  if (operation_ == operation::number) return compare_numbers(*value);
  const int order = value->compare(operands_.front());
  switch (relation_) {
    case relation::less: return order < 0;
    case relation::at_most: return order <= 0;
    case relation::equal: return order == 0;
    case relation::unequal: return order != 0;
    case relation::at_least: return order >= 0;
    case relation::greater: break;
  }
  return order > 0;
}

outcome<bool> extra_specs_match(std::optional<std::string_view> value, std::string_view requirement, release release) {
  return extra_specs_requirement(requirement, release).met_by(value);
}

}  // namespace filter_driver
