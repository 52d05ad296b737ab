// SPDX-License-Identifier: Apache-2.0
//
// The kind consume: what a placed instance takes of its host, by the driver's own decision about two instances on this
// one host, looked at between them; and, where the record gives the host limits of its own, what it takes of the
// topology and the devices by itself.
#include <gantry/driver/failure.hpp>

#include "decision/decision.hpp"
#include "nova/object.hpp"
#include "numa/consume.hpp"
#include "tests/parity/recorded_call.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/recorded_view.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

// As Nova warns of an error and goes on, what was done before it may be recorded beside it. nullptr: it is not.
const json::object* host_after(const json::object& record) {
  return nova_object_field(record.at("expected").as_object(), "host_after");
}

std::string difference_of_counters(const json::object& expected, const host_table& found) {
  const std::pair<const char*, const number_column*> all[] = {{"free_ram_mb", &found.free_ram_mb},
                                                              {"free_disk_mb", &found.free_disk_mb},
                                                              {"vcpus_used", &found.vcpus_used},
                                                              {"num_instances", &found.num_instances},
                                                              {"num_io_ops", &found.num_io_ops}};
  for (const auto& [name, column] : all) {
    if (expected.at(name).to_number<double>() != (*column)[0])
      return std::string(name) + ": expected " + json::serialize(expected.at(name)) + ", found " +
             std::to_string((*column)[0]);
  }
  return {};
}

std::string difference_of_devices(const json::object& record, const json::value& topology, const json::value& pools,
                                  const json::value& instance) {
  if (host_after(record) == nullptr) return {};
  const auto& after = *host_after(record);
  const auto host = readable(read_host_topology(topology));
  std::string why = difference_of(readable(read_host_topology(member(after, "numa_topology"))), host);
  if (why.empty())
    why = difference_of(readable(read_pci_pools(member(after, "pci_stats"))), readable(read_pci_pools(pools)));
  if (why.empty() && !raises(record)) {
    const auto wanted = readable(read_instance_topology(member(record.at("expected").as_object(), "spec_numa_after")));
    why = difference_of(wanted, readable(read_instance_topology(instance)), address(host));
  }
  return why;
}

// The whole, on a host on which the filters left no limits.
std::string difference_of_decision(const json::object& record, const json::object& spec, bool with_devices) {
  auto options = recorded_settings(record);
  options.enabled_filters.clear();
  options.weight_classes.clear();
  options.ignore_placement_requirements = true;
  const policy rules(std::move(options));
  gantry::testing::fake_request description;
  description.instances = 2;
  description.spec = json::serialize(spec);
  recorded_call call(rows_of_host_states(json::array{record.at("host_before")}, {}));
  const auto request = call.request(description);
  document_cache documents;
  decision whole(call.call(), request, rules, documents);
  if (whole.place(0) != gantry::code::ok) return "no host: " + whole.reason();
  const auto& table = whole.hosts();
  if (host_after(record) == nullptr) return {};
  std::string why = difference_of_counters(*host_after(record), table);
  if (why.empty() && with_devices)
    why =
        difference_of_devices(record, table.numa_topology->at(0), table.pci_stats->at(0), whole.facts().numa_topology);
  return why;
}

// An error, where Nova had one, and what was done before it.
std::string difference_of_fit(const json::object& record) {
  const json::object& before = record.at("host_before").as_object();
  const json::object& spec = record.at("spec").as_object();
  auto host = readable(read_host_topology(member(before, "numa_topology")));
  auto pools = readable(read_pci_pools(member(before, "pci_stats")));
  auto instance = readable(read_instance_topology(member(spec, "numa_topology")));
  const auto requests = readable(read_pci_requests(member(spec, "pci_requests")));
  const auto limits = readable(read_numa_limits(member(member(before, "limits").as_object(), "numa_topology")));
  const auto error = consume(host, pools, instance, requests, address(limits), packs_cells(record), release_of(record));
  if (error.has_value() != raises(record)) return compare_raised(record, address(error)).why;
  return difference_of_devices(record, host ? to_json(*host) : json::value(),
                               pools ? to_flat_json(*pools) : json::value(),
                               instance ? to_json(*instance) : json::value());
}

}  // namespace

verdict check_consume(const json::object& record) {
  auto spec = recorded_spec(record);
  const bool has_limits =
      !member(member(record.at("host_before").as_object(), "limits").as_object(), "numa_topology").is_null();
  std::string why = difference_of_fit(record);
  if (why.empty() && has_limits && !raises(record)) {
    spec.erase("numa_topology");
    spec.erase("pci_requests");
  }
  if (why.empty() && !(has_limits && raises(record))) why = difference_of_decision(record, spec, !has_limits);
  return why.empty() ? verdict{} : differs(why);
}

}  // namespace filter_driver::parity
