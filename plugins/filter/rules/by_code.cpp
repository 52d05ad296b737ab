// SPDX-License-Identifier: Apache-2.0
#include "rules/by_code.hpp"

#include "rules/wording.hpp"

namespace filter_driver {

std::string aggregate_run::values_of(const members& aggregates, std::string_view key) {
  std::vector<std::string> values;
  for (const auto* const each : aggregates) {
    auto value = each->find(key);
    if (!value) continue;
    auto shown = quoted(*value);
    if (std::find(values.begin(), values.end(), shown) == values.end()) values.push_back(std::move(shown));
  }
  return values.empty() ? "no " + shortened(key) : shortened(key) + " " + listed(values);
}

}  // namespace filter_driver
