// SPDX-License-Identifier: Apache-2.0
#include "rules/multiplier.hpp"

#include "rules/numbers_of_aggregates.hpp"

namespace filter_driver {

host_multiplier::host_multiplier(const question& asked, double configured, std::string_view aggregate_key, bool negated,
                                 bool in_each_release)
    : configured_(negated ? -configured : configured) {
  const bool asks_aggregates = in_each_release || asked.options.compatibility->aggregates_set_multipliers;
  if (!asks_aggregates || aggregate_key.empty() || !is_set_anywhere(asked.hosts, aggregate_key)) return;
  by_set_ = std::make_unique<value_by_set<double>>(
      asked.hosts, [otherwise = configured_, aggregate_key, negated](const auto& of_set) {
        const auto own = least_number(of_set, aggregate_key, number_kind::real, release::zed);
        if (!own) return otherwise;
        return negated ? -*own : *own;
      });
}

}  // namespace filter_driver
