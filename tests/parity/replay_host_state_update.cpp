// SPDX-License-Identifier: Apache-2.0
//
// The kind host_state_update: what the driver makes of a compute node's record, beside what Nova's HostState takes
// over. A record that Nova passes over (its node never reported in full, or it is older than what Nova has) leaves the
// host as it was, and there is nothing for the driver to read.
#include <cmath>
#include <stdexcept>

#include "hosts/view_hosts.hpp"
#include "nova/ip_network.hpp"
#include "nova/object.hpp"
#include "tests/parity/recorded_call.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_view.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

bool is_passed_over(const json::object& record) {
  const auto& node = record.at("compute_node").as_object();
  if (nova_field(node, "free_disk_gb") == nullptr) return true;
  const auto* const known = nova_object_field(record.at("host_before").as_object(), "updated");
  const auto* const reported = nova_object_field(node, "updated_at");
  return known != nullptr && reported != nullptr &&
         known->at("_datetime").as_string() > reported->at("_datetime").as_string();
}

double node_number(const json::value& value) {
  return value.is_null() ? none : value.to_number<double>();
}

std::string difference_of_numbers(const json::object& expected, const host_table& found) {
  const std::pair<const char*, const number_column*> all[] = {{"free_ram_mb", &found.free_ram_mb},
                                                              {"total_usable_ram_mb", &found.total_usable_ram_mb},
                                                              {"free_disk_mb", &found.free_disk_mb},
                                                              {"total_usable_disk_gb", &found.total_usable_disk_gb},
                                                              {"disk_mb_used", &found.disk_mb_used},
                                                              {"vcpus_total", &found.vcpus_total},
                                                              {"vcpus_used", &found.vcpus_used},
                                                              {"num_instances", &found.num_instances},
                                                              {"num_io_ops", &found.num_io_ops},
                                                              {"failed_builds", &found.failed_builds},
                                                              {"cpu_allocation_ratio", &found.cpu_allocation_ratio},
                                                              {"ram_allocation_ratio", &found.ram_allocation_ratio},
                                                              {"disk_allocation_ratio", &found.disk_allocation_ratio},
                                                              {"hypervisor_version", &found.hypervisor_version}};
  for (const auto& [name, column] : all) {
    const double wanted = node_number(expected.at(name));
    const double got = (*column)[0];
    if (wanted != got && !(std::isnan(wanted) && std::isnan(got)))
      return std::string(name) + ": expected " + json::serialize(expected.at(name)) + ", found " + std::to_string(got);
  }
  return {};
}

std::string difference_of_texts(const json::object& expected, const host_table& found) {
  const std::pair<const char*, const text_codes*> all[] = {{"host", &found.host},
                                                           {"nodename", &found.nodename},
                                                           {"uuid", &found.uuid},
                                                           {"host_ip", &found.host_ip},
                                                           {"hypervisor_type", &found.hypervisor_type},
                                                           {"hypervisor_hostname", &found.hypervisor_hostname}};
  for (const auto& [name, column] : all) {
    auto got = (*column)[0];
    std::string address;
    if (got && column == &found.host_ip) {
      address = canonical_address(*got);
      got = address;
    }
    const auto wanted = nova_text(expected, name);
    if (wanted.has_value() != got.has_value() || (wanted && *wanted != *got))
      return std::string(name) + ": expected " + json::serialize(expected.at(name)) + ", found " +
             std::string(got.value_or("null"));
  }
  return {};
}

// {name: value}, of a list the last of a name.
json::object metrics_in(const json::value& list) {
  json::object all;
  for (const auto& each : list.as_object().at("objects").as_array()) {
    const auto& metric = each.as_object();
    const auto* const value = metric.if_contains("value");
    all[metric.at("name").as_string()] = value == nullptr ? json::value() : *value;
  }
  return all;
}

std::string difference_of_documents(const json::object& expected, const host_table& found) {
  const std::pair<const char*, const document_column*> all[] = {
      {"cpu_info", found.cpu_info}, {"supported_instances", found.supported_instances}, {"stats", found.stats}};
  for (const auto& [name, column] : all) {
    if (expected.at(name) != column->at(0))
      return std::string(name) + ": expected " + json::serialize(expected.at(name)) + ", found " +
             json::serialize(column->at(0));
  }
  if (metrics_in(expected.at("metrics")) != found.metrics->at(0))
    return "metrics: expected " + json::serialize(expected.at("metrics")) + ", found " +
           json::serialize(found.metrics->at(0));
  auto difference = difference_of(readable(read_host_topology(expected.at("numa_topology"))),
                                  readable(read_host_topology(found.numa_topology->at(0))));
  if (difference.empty())
    difference = difference_of(readable(read_pci_pools(expected.at("pci_stats"))),
                               readable(read_pci_pools(found.pci_stats->at(0))));
  return difference;
}

}  // namespace

verdict check_host_state_update(const json::object& record) {
  const auto& expected = record.at("expected").as_object();
  if (is_passed_over(record)) {
    if (!raises(record) && expected.at("host_after").as_object().at("free_ram_mb") ==
                               record.at("host_before").as_object().at("free_ram_mb"))
      return {};
    return differs("Nova took over what it was to pass over");
  }
  std::vector<gantry::testing::host_row> rows;
  try {
    rows.push_back(row_of_compute_node(record.at("compute_node").as_object()));
  } catch (const std::invalid_argument& refused) {
    return raises(record) ? verdict{} : differs(refused.what());
  }
  if (raises(record)) return differs("expected to be refused");
  recorded_call call(std::move(rows));
  document_cache documents;
  const std::vector<placed_here> nobody;
  const view_hosts hosts(call.call(), call.view(), documents, nobody);
  const auto& after = expected.at("host_after").as_object();
  auto difference = difference_of_numbers(after, hosts.table());
  if (difference.empty()) difference = difference_of_texts(after, hosts.table());
  if (difference.empty()) difference = difference_of_documents(after, hosts.table());
  return difference.empty() ? verdict{} : differs(difference);
}

}  // namespace filter_driver::parity
