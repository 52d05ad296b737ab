// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver/failure.hpp>

#include "decision/host_selection.hpp"
#include "policy/registry.hpp"
#include "rules/filtering.hpp"
#include "tests/parity/recorded_candidates.hpp"
#include "tests/parity/recorded_hosts.hpp"
#include "tests/parity/recorded_numa.hpp"
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
  const auto* const given = record.if_contains("candidates");
  const auto requests = given == nullptr ? pci_requests() : readable(read_pci_requests(request.pci_requests));
  std::vector<const json::array*> by_row(rows_of_hosts.size());
  for (std::size_t row = 0; given != nullptr && row < by_row.size(); ++row) by_row[row] = &given->at(row).as_array();
  recorded_candidates candidates(std::move(by_row), requests);
  const auto left = candidates.left(requests);
  const question asked{hosts.table(), request, options, nullptr, given == nullptr ? nullptr : left.get()};
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
    for (std::size_t at = 0; given != nullptr && at < passed.size(); ++at) {
      const auto& numbers = expected.at("candidates").as_array()[at].as_array();
      const int wanted = numbers.empty() ? -1 : numbers[0].to_number<int>();
      const int first = candidates.first_left(passed[at].to_number<std::uint32_t>(), *left);
      if (first != wanted)
        return {verdict::differed,
                "expected the candidates " + json::serialize(numbers) + ", found " + std::to_string(first)};
    }
    return {};
  } catch (const gantry::failure& failed) {
    if (raises(record)) return {};
    return {verdict::differed, std::string("refused: ") + failed.what()};
  }
}

}  // namespace filter_driver::parity
