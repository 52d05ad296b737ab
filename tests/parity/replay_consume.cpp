// SPDX-License-Identifier: Apache-2.0
//
// The kind consume, as far as a placed instance's NUMA topology and PCI devices go: what they do to the host's topology
// and pools and to the instance's own topology. The plain counters are sums of the flavor's numbers.
#include "numa/consume.hpp"
#include "tests/parity/recorded_numa.hpp"

namespace filter_driver::parity {

namespace json = boost::json;

verdict check_consume(const json::object& record) {
  if (record.at("release").as_string() != "zed") return {verdict::not_ours};
  const json::object& before = record.at("host_before").as_object();
  const json::object& spec = record.at("spec").as_object();
  auto host = readable(read_host_topology(member(before, "numa_topology")));
  auto pools = readable(read_pci_pools(member(before, "pci_stats")));
  auto instance = readable(read_instance_topology(member(spec, "numa_topology")));
  const auto requests = readable(read_pci_requests(member(spec, "pci_requests")));
  const json::object& left = member(before, "limits").as_object();
  const auto limits = readable(read_numa_limits(member(left, "numa_topology")));

  const auto error = consume(host, pools, instance, requests, address(limits), packs_cells(record));
  if (raises(record) || error) return compare_raised(record, address(error));
  const json::object& expected = record.at("expected").as_object();
  const json::object& after = expected.at("host_after").as_object();
  std::string why = difference_of(readable(read_host_topology(member(after, "numa_topology"))), host);
  if (why.empty()) why = difference_of(readable(read_pci_pools(member(after, "pci_stats"))), pools);
  if (why.empty()) {
    const auto wanted = readable(read_instance_topology(member(expected, "spec_numa_after")));
    why = difference_of(wanted, instance, address(host));
  }
  return why.empty() ? verdict{} : differs(why);
}

}  // namespace filter_driver::parity
