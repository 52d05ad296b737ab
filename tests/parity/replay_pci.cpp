// SPDX-License-Identifier: Apache-2.0
//
// The kinds pci_support_requests and pci_apply_requests.
#include "pci/supply.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"

namespace filter_driver::parity {
namespace {

namespace json = boost::json;

pci_pools pools_of(const json::value& pools) {
  auto read = readable(read_pci_pools(pools));
  if (!read) throw std::invalid_argument("pools_before: expected a list of pools");
  return *std::move(read);
}

// A record's pools, requests and placement.
struct pci_case {
  explicit pci_case(const json::object& record)
      : pools(pools_of(record.at("pools_before"))),
        requests(readable(read_pci_requests(record.at("requests")))),
        host(readable(read_host_topology(member(record, "numa_topology")))),
        rules(release_of(record)) {
    if (const json::value& list = member(record, "numa_cells"); !list.is_null()) {
      for (const instance_cell& cell : readable(read_instance_cells(list))) cells.push_back(cell.id);
    }
  }
  pci_placement placement() const {
    pci_placement placement{cells, std::nullopt, rules, true};
    if (host) placement.sockets = host->sockets;
    return placement;
  }

  pci_pools pools;
  pci_requests requests;
  std::optional<host_topology> host;
  std::vector<std::int64_t> cells;
  release rules;
};

verdict compare_pools(const json::object& record, const pci_pools& found) {
  const auto expected = readable(read_pci_pools(record.at("expected").as_object().at("pools_after")));
  const std::string difference = difference_of(expected, std::optional(found));
  return difference.empty() ? verdict{} : differs(difference);
}

}  // namespace

verdict check_pci_support_requests(const json::object& record) {
  const pci_case asked(record);
  const outcome<bool> served = supports(asked.pools, asked.requests, asked.placement());
  if (raises(record) || !served) return compare_raised(record, served ? nullptr : &served.error());
  if (record.at("expected").as_object().at("result").as_bool() != *served) return differs("result");
  return compare_pools(record, asked.pools);
}

verdict check_pci_apply_requests(const json::object& record) {
  pci_case asked(record);
  const std::optional<raised> error = take(asked.pools, asked.requests, asked.placement());
  const verdict raised = compare_raised(record, address(error));
  return raised.what == verdict::agreed ? compare_pools(record, asked.pools) : raised;
}

}  // namespace filter_driver::parity
