// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/method_table.hpp"

#include <algorithm>
#include <iterator>

namespace gantry::scheduling {

namespace {

std::vector<Method> all_methods() {
  std::vector<Method> table;
  for (const auto part : {scheduling_methods, report_methods, host_methods, aggregate_methods, record_methods})
    std::ranges::move(part(), std::back_inserter(table));
  std::ranges::sort(table, {}, &Method::name);
  return table;
}

}  // namespace

std::span<const Method> method_table() {
  static const std::vector<Method> table = all_methods();
  return table;
}

const Method* find_method(std::string_view name) {
  const auto table = method_table();
  const auto found = std::ranges::lower_bound(table, name, {}, &Method::name);
  return found != table.end() && found->name == name ? &*found : nullptr;
}

}  // namespace gantry::scheduling
