// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_view.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "hosts/view_hosts.hpp"
#include "nova/object.hpp"
#include "python/python_number.hpp"
#include "tests/parity/recorded_hosts.hpp"
#include "tests/parity/recorded_request.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
using gantry::testing::host_row;
using gantry::testing::json_text;

double number(const json::object& from, std::string_view name, double otherwise) {
  const auto* const value = nova_field(from, name);
  return value == nullptr ? otherwise : value->to_number<double>();
}

// 0 if the member is missing. A fraction is cut off.
std::int64_t whole_number(const json::object& from, std::string_view name) {
  constexpr double end = 9223372036854775808.0;
  const double value = number(from, name, 0);
  if (!(value >= -end && value < end))
    throw std::invalid_argument(std::string(name) + ": no whole number: " + json::serialize(*nova_field(from, name)));
  return static_cast<std::int64_t>(value);
}

void add_text(host_row& row, std::string_view column, const json::object& from, std::string_view name) {
  if (const auto text = nova_text(from, name)) row.columns[std::string(column)] = *text;
}
void add_integer(host_row& row, std::string_view column, const json::object& from, std::string_view name) {
  if (const auto* const value = nova_field(from, name))
    row.columns[std::string(column)] = value->to_number<std::int64_t>();
}
void add_document(host_row& row, std::string_view column, const json::value* value) {
  if (value != nullptr && !value->is_null()) row.columns[std::string(column)] = json_text{json::serialize(*value)};
}

// What host states and compute nodes call by the same names.
void add_common(host_row& row, const json::object& from) {
  constexpr double unset = std::numeric_limits<double>::quiet_NaN();
  row.host = nova_text(from, "host").value_or("");
  row.cpu_allocation_ratio = number(from, "cpu_allocation_ratio", unset);
  row.ram_allocation_ratio = number(from, "ram_allocation_ratio", unset);
  row.disk_allocation_ratio = number(from, "disk_allocation_ratio", unset);
  row.vcpus_used = number(from, "vcpus_used", 0);
  row.columns["free_ram_mb"] = number(from, "free_ram_mb", 0);
  row.claims["instances"] = 0;
  add_text(row, "uuid", from, "uuid");
  add_text(row, "host_ip", from, "host_ip");
  add_text(row, "hypervisor_type", from, "hypervisor_type");
  add_integer(row, "hypervisor_version", from, "hypervisor_version");
  add_document(row, "cpu_info", from.if_contains("cpu_info"));
  add_document(row, "stats", from.if_contains("stats"));
  const auto* const topology = from.if_contains("numa_topology");
  if (topology != nullptr && topology->is_string())
    row.columns["numa_topology"] = json_text{std::string(topology->get_string())};
  else
    add_document(row, "numa_topology", topology);
}

// Each host's aggregates stand alone.
void add_instances_and_aggregates(host_row& row, const json::object& state, std::int64_t& next_aggregate) {
  if (const auto* const instances = nova_field(state, "instances")) {
    for (const auto& each : instances->as_array()) {
      const auto uuid = gantry::parse_uuid(each.as_object().at("uuid").as_string());
      if (!uuid) throw std::invalid_argument("an instance's uuid: " + json::serialize(each));
      row.instances.push_back(*uuid);
    }
  }
  if (const auto* const aggregates = nova_field(state, "aggregates")) {
    for (const auto& each : aggregates->as_array()) {
      auto& aggregate = row.aggregates.emplace_back();
      aggregate.id = ++next_aggregate;
      for (const auto& [key, value] : each.as_object().at("metadata").as_object())
        aggregate.metadata[key] = std::string(value.as_string());
    }
  }
}

// By name: a list would be one of reports, whose percentages are fractions; a host state has made them whole already.
json::value readings_of(const json::object& state) {
  const auto* const metrics = nova_object_field(state, "metrics");
  if (metrics == nullptr) return nullptr;
  json::object by_name;
  for (const auto& each : metrics->at("objects").as_array()) {
    const auto& metric = each.as_object();
    const auto* const value = metric.if_contains("value");
    by_name[metric.at("name").as_string()] = value == nullptr ? json::value(nullptr) : *value;
  }
  return by_name;
}

host_row row_of_host_state(const json::object& state, bool up, std::int64_t& next_aggregate) {
  host_row row;
  add_common(row, state);
  row.node = nova_text(state, "nodename").value_or("");
  row.up = up;
  const auto* const service = nova_object_field(state, "service");
  const auto* const disabled = service == nullptr ? nullptr : service->if_contains("disabled");
  row.disabled = disabled != nullptr && disabled->is_bool() && disabled->get_bool();
  row.vcpus = whole_number(state, "vcpus_total");
  row.memory_mb = whole_number(state, "total_usable_ram_mb");
  row.local_gb = whole_number(state, "total_usable_disk_gb");
  row.local_gb_used = number(state, "disk_mb_used", 0) / 1024;
  row.columns["free_disk_gb"] = number(state, "free_disk_mb", 0) / 1024;
  add_integer(row, "stats.num_instances", state, "num_instances");
  add_integer(row, "stats.io_workload", state, "num_io_ops");
  add_integer(row, "stats.failed_builds", state, "failed_builds");
  add_text(row, "stats.cell_uuid", state, "cell_uuid");
  // What a host state has not got is null, which is not the same as what no report spoke of.
  const json::value nothing;
  const auto* const supported = nova_field(state, "supported_instances");
  row.columns["supported_instances"] = json_text{json::serialize(supported == nullptr ? nothing : *supported)};
  row.columns["metrics"] = json_text{json::serialize(readings_of(state))};
  const auto* const pools = nova_object_field(state, "pci_stats");
  row.columns["pci_stats"] = json_text{json::serialize(pools == nullptr ? nothing : pools->at("pools"))};
  row.columns["image_properties"] = json_text{json::serialize(recorded_images(state))};
  add_instances_and_aggregates(row, state, next_aggregate);
  return row;
}

// Counters that Nova takes out of the stats by int().
void add_counter(host_row& row, std::string_view name, const json::object& stats) {
  const auto* const value = stats.if_contains(name);
  if (value == nullptr) return;
  const auto count = value->is_string() ? int_of(value->get_string()) : outcome<json::value>(*value);
  if (!count.ok() || !count.value().is_int64())
    throw std::invalid_argument("stats." + std::string(name) + ": no whole number: " + json::serialize(*value));
  row.columns["stats." + std::string(name)] = count.value().get_int64();
}

}  // namespace

std::vector<host_row> rows_of_host_states(const json::array& hosts, const std::vector<bool>& up) {
  std::vector<host_row> rows;
  rows.reserve(hosts.size());
  std::int64_t next_aggregate = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    rows.push_back(row_of_host_state(hosts[i].as_object(), up.empty() || up.at(i), next_aggregate));
  return rows;
}

host_row row_of_compute_node(const json::object& node) {
  host_row row;
  add_common(row, node);
  row.node = nova_text(node, "hypervisor_hostname").value_or("");
  row.vcpus = whole_number(node, "vcpus");
  row.memory_mb = whole_number(node, "memory_mb");
  row.local_gb = whole_number(node, "local_gb");
  row.local_gb_used = number(node, "local_gb_used", 0);
  row.columns["free_disk_gb"] = number(node, "free_disk_gb", 0);
  add_integer(row, "disk_available_least", node, "disk_available_least");
  if (const auto* const stats = nova_object_field(node, "stats")) {
    for (const auto* const name : {"num_instances", "io_workload", "failed_builds"}) add_counter(row, name, *stats);
  }
  if (const auto* const supported = nova_field(node, "supported_hv_specs")) {
    json::array list;
    for (const auto& each : supported->as_array()) {
      const auto& one = each.as_object();
      list.push_back(json::array{one.at("arch"), one.at("hv_type"), one.at("vm_mode")});
    }
    const json::value value(std::move(list));
    add_document(row, "supported_instances", &value);
  }
  if (const auto metrics = nova_text(node, "metrics"); metrics && !metrics->empty())
    row.columns["metrics"] = json_text{*metrics};
  if (const auto* const pools = nova_field(node, "pci_device_pools")) {
    const auto plain = unmarked(*pools);
    add_document(row, "pci_stats", &plain);
  }
  return row;
}

}  // namespace filter_driver::parity
