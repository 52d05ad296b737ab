// SPDX-License-Identifier: Apache-2.0
//
// By what a host's normalised weight counts: the configured multiplier or, in Zed, the least that the host's aggregates
// set under the option's name, where one sets it and float() reads all of them.
#pragma once

#include <memory>
#include <string_view>

#include "rules/by_code.hpp"

namespace filter_driver {

class host_multiplier {
 public:
  // `negated`: the number, wherever it comes from, counts with the other sign. `in_each_release`: aggregates are asked
  // whatever the release.
  host_multiplier(const question& asked, double configured, std::string_view aggregate_key, bool negated,
                  bool in_each_release = false);

  double operator[](std::uint32_t row) { return by_set_ ? (*by_set_)[row] : configured_; }
  // The same for all rows.
  bool is_one() const { return !by_set_; }

 private:
  double configured_;
  std::unique_ptr<value_by_set<double>> by_set_;  // where an aggregate of some host sets its own
};

}  // namespace filter_driver
