// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver/failure.hpp>

#include "decision/host_selection.hpp"
#include "policy/registry.hpp"
#include "rules/filtering.hpp"
#include "tests/parity/recorded_hosts.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

namespace json = boost::json;

verdict check_filter_pipeline(const json::object& record) {
  std::vector<const json::object*> rows_of_hosts;
  for (const auto& host : record.at("hosts").as_array()) rows_of_hosts.push_back(&host.as_object());
  std::vector<bool> up;
  if (const auto* const list = record.if_contains("service_up"); list != nullptr && list->is_array())
    for (const auto& each : list->as_array()) up.push_back(each.as_bool());
  const recorded_hosts hosts(rows_of_hosts, up);
  const auto request = recorded_request(record);
  const auto options = recorded_settings(record);
  const question asked{hosts.table(), request, options};
  std::vector<std::unique_ptr<filter>> made;
  std::vector<enabled_filter> enabled;
  for (const auto& each : record.at("filters").as_array()) {
    const auto* const rule = find_filter(each.as_string());
    enabled.push_back({rule, made.emplace_back(rule->make(options)).get()});
  }
  try {
    auto selected = select_hosts(hosts.table(), request, options.compatibility);
    if (!selected.skips_filters) {
      filtering filters(enabled, asked, record.at("index").to_number<int>() == 0);
      std::vector<double> rooms(block::room_count * block_rows);
      filters.keep({0, hosts.table().rows, selected.rows.data(), rooms.data()});
    }
    json::array passed;
    for (std::uint32_t row = 0; row < hosts.table().rows; ++row) {
      if (((selected.rows[row / 64] >> (row % 64)) & 1) != 0) passed.push_back(row);
    }
    const auto& expected = record.at("expected").as_object();
    if (raises(record) || json::serialize(passed) != json::serialize(expected.at("passed")))
      return {verdict::differed, "expected " + json::serialize(expected) + ", found " + json::serialize(passed)};
    return {};
  } catch (const gantry::failure& failed) {
    if (raises(record)) return {};
    return {verdict::differed, std::string("refused: ") + failed.what()};
  }
}

}  // namespace filter_driver::parity
