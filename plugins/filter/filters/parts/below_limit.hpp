// SPDX-License-Identifier: Apache-2.0
//
// A run that requires a host's count to be below a limit. The limit is the least limit that the host's aggregates set.
// If they set none, or if Python's int() cannot read each of their values, the limit is the configured one.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rules/by_code.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

class below_limit final : public filter_run {
 public:
  // `unit`: what is counted and the name of the limit, in reasons. `counted`: each host's count. `aggregate_key`: the key of the
  // aggregates' metadata that overrides the limit. Empty: aggregates have no say.
  below_limit(const question& asked, std::string_view unit, const number_column& counted, std::int64_t configured,
              std::string_view aggregate_key);

  void keep(const block& candidates) override;
  claims_effect effect_of_claims() const override { return claims_effect::falls; }
  std::optional<mismatch> mismatch_of(std::uint32_t row) override;

 private:
  double limit_of(std::uint32_t row) { return by_set_ ? (*by_set_)[row] : configured_; }

  std::string unit_;
  const number_column& counted_;
  double configured_;
  std::unique_ptr<value_by_set<double>> by_set_;
};

}  // namespace filter_driver
