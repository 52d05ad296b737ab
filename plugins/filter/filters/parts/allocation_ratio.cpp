// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/allocation_ratio.hpp"

#include <algorithm>

#include "rules/numbers_of_aggregates.hpp"

namespace filter_driver {

allocation_ratio::allocation_ratio(const question& asked, const number_column& of_hosts, double configured,
                                   std::string_view aggregate_key)
    : of_hosts_(of_hosts),
      configured_(asked.options.compatibility->hosts_have_ratios ? std::nullopt : std::optional(configured)) {
  if (aggregate_key.empty() || !is_set_anywhere(asked.hosts, aggregate_key)) return;
  by_set_ = std::make_unique<value_by_set<std::optional<double>>>(
      asked.hosts, [aggregate_key, compatibility = asked.options.compatibility](const auto& of_set) {
        return least_number(of_set, aggregate_key, number_kind::real, compatibility);
      });
}

const double* allocation_ratio::read(const block& candidates, double* room) {
  const double* otherwise = nullptr;
  if (configured_) {
    std::fill_n(room, candidates.count, *configured_);
    otherwise = room;
  } else {
    otherwise = of_hosts_.read(candidates.first, candidates.count, room);
  }
  if (!by_set_) return otherwise;
  for (std::uint32_t i = 0; i < candidates.count; ++i)
    room[i] = (*by_set_)[candidates.first + i].value_or(otherwise[i]);
  return room;
}

double allocation_ratio::operator[](std::uint32_t row) {
  const double otherwise = configured_ ? *configured_ : of_hosts_[row];
  return by_set_ ? (*by_set_)[row].value_or(otherwise) : otherwise;
}

}  // namespace filter_driver
