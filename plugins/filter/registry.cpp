// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include <algorithm>
#include <array>

#include "filters/filters.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

constexpr std::array filters = {
    &all_hosts_filter,
    &availability_zone_filter,
    &core_filter,
};

constexpr std::array weighers = {
    &ram_weigher,
};

}  // namespace

std::span<const filter_rule* const> filter_rules() {
  return filters;
}

std::span<const weigher_rule* const> weigher_rules() {
  return weighers;
}

const filter_rule* find_filter(std::string_view name) {
  const auto* const found =
      std::find_if(filters.begin(), filters.end(), [name](const auto* rule) { return rule->name == name; });
  return found == filters.end() ? nullptr : *found;
}

const weigher_rule* find_weigher(std::string_view name) {
  const auto* const found =
      std::find_if(weighers.begin(), weighers.end(), [name](const auto* rule) { return rule->name == name; });
  return found == weighers.end() ? nullptr : *found;
}

}  // namespace filter_driver
