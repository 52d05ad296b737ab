// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/below_limit.hpp"

#include "rules/amount.hpp"
#include "rules/numbers_of_aggregates.hpp"

namespace filter_driver {

below_limit::below_limit(const question& asked, std::string_view unit, const number_column& counted,
                         std::int64_t configured, std::string_view aggregate_key)
    : unit_(unit), counted_(counted), configured_(static_cast<double>(configured)) {
  if (aggregate_key.empty() || !is_set_anywhere(asked.hosts, aggregate_key)) return;
  by_set_ = std::make_unique<value_by_set<double>>(
      asked.hosts,
      [aggregate_key, otherwise = configured_, compatibility = asked.options.compatibility](const auto& of_set) {
        return least_number(of_set, aggregate_key, number_kind::whole, compatibility).value_or(otherwise);
      });
}

void below_limit::keep(const block& candidates) {
  const double* const counted = counted_.read(candidates.first, candidates.count, candidates.room(0));
  if (!by_set_) {
    candidates.keep_where(
        [limit = configured_](auto here) __attribute__((always_inline)) { return here < limit; }, counted);
    return;
  }
  double* const limits = candidates.room(1);
  by_set_->read(candidates, limits);
  candidates.keep_where(
      [](auto here, auto limit) __attribute__((always_inline)) { return here < limit; }, counted,
      static_cast<const double*>(limits));
}

std::optional<filter_run::mismatch> below_limit::mismatch_of(std::uint32_t row) {
  return mismatch{"fewer than " + amount(limit_of(row)) + " " + unit_, amount(counted_[row])};
}

}  // namespace filter_driver
