// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/method_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

std::vector<Method> all_methods() {
  struct Part {
    std::string_view group;
    std::vector<Method> methods;
  };
  std::vector<Method> table;
  for (auto& [group, methods] : std::array<Part, 6>{{{"scheduling", scheduling_methods()},
                                                     {"reports", report_methods()},
                                                     {"hosts", host_methods()},
                                                     {"aggregates", aggregate_methods()},
                                                     {"records", record_methods()},
                                                     {"tokens", token_methods()}}}) {
    for (auto& method : methods) method.group = group;
    std::ranges::move(methods, std::back_inserter(table));
  }
  std::ranges::sort(table, {}, &Method::name);
  return table;
}

}  // namespace

Outcome Handler::operator()(State& state, MethodCall&& call) const {
  return takes_apart_ != nullptr ? takes_apart_(state, std::move(call)) : reads_(state, call);
}

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
