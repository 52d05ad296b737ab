// SPDX-License-Identifier: Apache-2.0
//
// Nova's small language of requirements in extra specs ("<or> a <or> b", ">= 4", "<in> sse"):
// nova/scheduler/filters/extra_specs_ops.py. The first word is the operator. Without a known operator the whole text
// is compared for equality.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nova/release.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// A requirement, parsed once and compared with many values.
class extra_specs_requirement {
 public:
  explicit extra_specs_requirement(std::string_view text, release release = release::zed);

  // Returns whether a value meets the requirement. An empty optional is None. `=` requires at least the operand, `==`
  // the same number, `s==` the same text. `<or>` requires one of the operands, `<in>` a text that contains the operand,
  // `<all-in>` (not in Icehouse) a text that contains all operands. An operator without an operand is never met. Raises
  // ValueError if a number is required and the value or the operand is not a number. Raises IndexError for `<or>`
  // without an operand.
  outcome<bool> met_by(std::optional<std::string_view> value) const;

 private:
  enum class operation { as_it_is, any_of, all_in, in, number, text };
  enum class relation { less, at_most, equal, unequal, at_least, greater };

  bool read_comparison(std::string_view name);
  outcome<bool> compare_numbers(std::string_view value) const;

  std::string whole_;
  std::vector<std::string> operands_;
  operation operation_ = operation::as_it_is;
  relation relation_ = relation::equal;
  std::optional<outcome<double>> number_;  // the first operand as a number, if numbers are compared
};

// Parses the requirement and checks one value.
outcome<bool> extra_specs_match(std::optional<std::string_view> value, std::string_view requirement,
                                release release = release::zed);

}  // namespace filter_driver
