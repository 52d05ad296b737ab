// SPDX-License-Identifier: Apache-2.0
//
// The kind numa_fit. Both ways through the fit are asked: the verdict alone, and the fitted topology. The topologies
// come twice in a record, in the plain and in the versioned form; both must read as the same.
#include "numa/fit.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"

namespace filter_driver::parity {
namespace {

namespace json = boost::json;

std::string difference_of_forms(const json::object& record, const std::optional<host_topology>& host,
                                const std::optional<instance_topology>& instance) {
  const json::object* wire = member(record, "wire").if_object();
  if (wire == nullptr) return {};
  const auto host_on_wire = readable(read_host_topology(member(*wire, "host_topology")));
  const auto instance_on_wire = readable(read_instance_topology(member(*wire, "instance_topology")));
  std::string difference = difference_of(host, host_on_wire);
  if (difference.empty()) difference = difference_of(instance, instance_on_wire, nullptr);
  if (difference.empty() && host) difference = difference_of(host, readable(read_host_topology(to_json(*host))));
  if (difference.empty() && instance) {
    difference = difference_of(instance, readable(read_instance_topology(to_json(*instance))), nullptr);
  }
  return difference.empty() ? difference : "read in another form: " + difference;
}

}  // namespace

verdict check_numa_fit(const json::object& record) {
  const auto host = readable(read_host_topology(member(record, "host_topology")));
  auto instance = readable(read_instance_topology(member(record, "instance_topology")));
  if (const std::string why = difference_of_forms(record, host, instance); !why.empty()) return differs(why);
  const auto limits = readable(read_numa_limits(member(record, "limits")));
  const auto requests = readable(read_pci_requests(member(record, "pci_requests")));
  const auto pools = readable(read_pci_pools(member(record, "pci_pools")));
  fit_terms terms;
  terms.limits = address(limits);
  terms.requests = &requests;
  terms.pools = address(pools);
  terms.rules = release_of(record);
  terms.requests_name_providers = true;
  terms.packing_host_numa_cells_allocation_strategy = packs_cells(record);

  const outcome<bool> fitting = fits(address(host), address(instance), terms);
  const auto fitted = fit(address(host), instance ? &*instance : nullptr, terms);
  if (raises(record)) return compare_raised(record, fitted || fitting ? nullptr : &fitted.error());
  if (!fitted || !fitting) return compare_raised(record, &fitted.error());
  const json::object& expected = record.at("expected").as_object();
  if (expected.at("fits").as_bool() != *fitting) return differs("fits");
  const auto result = readable(read_instance_topology(expected.at("result")));
  std::string difference = difference_of(result, *fitted, address(host));
  if (const json::value& after = member(record, "instance_after"); difference.empty() && !after.is_null()) {
    difference = difference_of(readable(read_instance_topology(after)), instance, address(host));
    if (!difference.empty()) difference = "left on the instance: " + difference;
  }
  return difference.empty() ? verdict{} : differs(difference);
}

}  // namespace filter_driver::parity
