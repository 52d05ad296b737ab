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
  std::vector<Method> table;
  for (const auto rows_of_file : {aggregate_methods,
                                  capacity_methods,
                                  cast_methods,
                                  decision_methods,
                                  event_methods,
                                  fleet_export_methods,
                                  group_methods,
                                  host_methods,
                                  instance_methods,
                                  log_level_methods,
                                  restart_methods,
                                  nova_import_methods,
                                  nova_request_methods,
                                  nova_update_methods,
                                  recent_decision_methods,
                                  reload_methods,
                                  report_methods,
                                  schedule_methods,
                                  schedule_run_instance_methods,
                                  select_destinations_methods,
                                  service_methods,
                                  stats_methods,
                                  status_methods,
                                  support_methods,
                                  token_methods})
    std::ranges::move(rows_of_file(), std::back_inserter(table));
  std::ranges::sort(table, {}, &Method::name);
  return table;
}

}  // namespace

std::vector<std::string_view> choices_of(const Argument& argument) {
  std::vector<std::string_view> choices;
  for (auto rest = argument.choices; !rest.empty();) {
    choices.push_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(std::min(rest.size(), choices.back().size() + 1));
  }
  return choices;
}

Outcome Handler::operator()(State& state, MethodCall&& call) const {
  return takes_apart_ != nullptr ? takes_apart_(state, std::move(call)) : reads_(state, call);
}

bool is_long_read(const Method& method) {
  constexpr std::array<std::string_view, 6> others{"capacity", "doctor", "export_fleet", "report", "stats", "why_not"};
  const bool is_list = method.result.starts_with('[') && !method.handle.waits();
  return method.effect == Effect::reads && method.driver == nullptr &&
         (is_list || std::ranges::find(others, method.name) != others.end());
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
