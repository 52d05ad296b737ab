// SPDX-License-Identifier: Apache-2.0
#include "rules/numbers_of_aggregates.hpp"

#include <algorithm>
#include <string>

namespace filter_driver {

std::optional<double> least_number(const std::vector<const aggregate*>& aggregates, std::string_view key,
                                   number_kind kind, release compatibility) {
  std::vector<std::string> values;
  values.reserve(aggregates.size());
  for (const auto* const each : aggregates) {
    const auto value = each->find(key);
    if (value) values.emplace_back(*value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto least = least_number(values, kind, nullptr, compatibility);
  return least.is_number() ? std::optional(least.to_number<double>()) : std::nullopt;
}

bool is_set_anywhere(const host_table& hosts, std::string_view key) {
  const auto& aggregates = hosts.aggregates.all();
  return hosts.aggregates.may_have(key) &&
         std::any_of(aggregates.begin(), aggregates.end(),
                     [key](const aggregate& each) { return each.find(key).has_value(); });
}

}  // namespace filter_driver
