// SPDX-License-Identifier: Apache-2.0
//
// The factor of a host's normalised weight: the configured multiplier. In Zed, the host's aggregates may override the
// multiplier in their metadata, under the option's name. The least of the aggregates' values counts. If Python's
// float() cannot read one of these values, the configured multiplier counts.
#pragma once

#include <memory>
#include <string_view>

#include "rules/by_code.hpp"

namespace filter_driver {

class host_multiplier {
 public:
  // `aggregate_key` is the metadata key of an override. If it is empty, aggregates cannot override the factor.
  // `negated` reverses the sign of the configured factor and of an override. `in_each_release` lets aggregates override
  // the factor in every release, not only in Zed.
  host_multiplier(const question& asked, double configured, std::string_view aggregate_key, bool negated,
                  bool in_each_release = false);

  double operator[](std::uint32_t row) { return by_set_ ? (*by_set_)[row] : configured_; }
  // Returns true if all rows have one and the same factor.
  bool is_one() const { return !by_set_; }

 private:
  double configured_;
  std::unique_ptr<value_by_set<double>> by_set_;  // nullptr if no aggregate overrides the factor
};

}  // namespace filter_driver
