// SPDX-License-Identifier: Apache-2.0
//
// Nova's small language of requirements in extra specs ("<or> a <or> b", ">= 4", "<in> sse"): nova/scheduler/filters/
// extra_specs_ops.py. The first word is the operator; without one that is known the whole text is compared as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nova/release.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// A requirement taken apart once, to be compared with many values.
class extra_specs_requirement {
 public:
  explicit extra_specs_requirement(std::string_view text, release release = release::zed);

  // Whether a value (nothing: None) meets it. `=` asks for at least its operand, `==` for the same number, `s==` for the
  // same text; an operator without an operand is not met. Raises ValueError where a number is asked for and one of the
  // two is none, IndexError for `<or>` without an operand.
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
  std::optional<outcome<double>> number_;  // the first operand's, where numbers are compared
};

// The same for one value.
outcome<bool> extra_specs_match(std::optional<std::string_view> value, std::string_view requirement,
                                release release = release::zed);

}  // namespace filter_driver
