// SPDX-License-Identifier: Apache-2.0
#include "policy/registry.hpp"

#include <algorithm>

#include "filters/filters.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

std::span<const filter_rule* const> filter_rules() {
  return builtin_filters;
}

std::span<const weigher_rule* const> weigher_rules() {
  return builtin_weighers;
}

const filter_rule* find_filter(std::string_view name) {
  const auto* const found = std::ranges::find(builtin_filters, name, &filter_rule::name);
  return found == builtin_filters.end() ? nullptr : *found;
}

const weigher_rule* find_weigher(std::string_view name) {
  const auto* const found = std::ranges::find(builtin_weighers, name, &weigher_rule::name);
  return found == builtin_weighers.end() ? nullptr : *found;
}

}  // namespace filter_driver
