// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/judgeable.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "policy/registry.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

// The members that a record of each kind must have. "a|b": one of both.
const std::map<std::string_view, std::vector<std::string_view>> needed_by_kind = {
    {"filter", {"filter", "host", "spec|filter_properties"}},
    {"extra_specs_match", {"value", "req"}},
    {"filter_pipeline", {"filters", "hosts", "index", "spec|filter_properties"}},
    {"weigher_raw", {"weigher", "host"}},
    {"normalize", {"weights", "minval", "maxval"}},
    {"weigh_pipeline", {"weighers", "hosts"}},
    {"numa_fit", {"host_topology", "instance_topology"}},
    {"numa_usage", {"host_topology", "instance_topology", "free"}},
    {"pci_support_requests", {"pools_before", "requests"}},
    {"pci_apply_requests", {"pools_before", "requests"}},
    {"consume", {"host_before", "spec"}},
    {"host_state_update", {"compute_node", "host_before"}},
    {"schedule",
     {"hosts", "filters", "weighers", "spec", "instance_uuids", "alloc_reqs_by_rp_uuid", "claims",
      "return_alternates"}},
    {"request_filter", {"request_filter", "spec"}},
    {"resource_request", {"spec", "enable_pinning_translate"}},
    {"resources_from_request_spec", {"spec", "enable_pinning_translate"}},
};

// The attributes that Nova's HostState always has.
constexpr const char* attributes[] = {"host",
                                      "nodename",
                                      "uuid",
                                      "free_ram_mb",
                                      "total_usable_ram_mb",
                                      "free_disk_mb",
                                      "total_usable_disk_gb",
                                      "disk_mb_used",
                                      "vcpus_total",
                                      "vcpus_used",
                                      "num_instances",
                                      "num_io_ops",
                                      "limits",
                                      "metrics",
                                      "aggregates",
                                      "instances",
                                      "numa_topology",
                                      "pci_stats",
                                      "stats",
                                      "cpu_allocation_ratio",
                                      "ram_allocation_ratio",
                                      "disk_allocation_ratio"};

bool has_one_of(const json::object& record, std::string_view names) {
  for (;;) {
    const auto bar = std::min(names.find('|'), names.size());
    if (record.contains(names.substr(0, bar))) return true;
    if (bar == names.size()) return false;
    names.remove_prefix(bar + 1);
  }
}

std::string text_in(const json::object& object, std::string_view name) {
  const auto* const value = object.if_contains(name);
  return value == nullptr || !value->is_string() ? std::string() : std::string(value->get_string());
}

// Returns the names in a list of texts or of objects with a name.
std::vector<std::string> names_in(const json::object& record, std::string_view list) {
  std::vector<std::string> names;
  const auto* const found = record.if_contains(list);
  const auto* const items = found == nullptr ? nullptr : found->if_array();
  if (items == nullptr) return names;
  for (const auto& each : *items) {
    if (const auto* const object = each.if_object())
      names.push_back(text_in(*object, "name"));
    else if (each.is_string())
      names.emplace_back(each.get_string());
  }
  return names;
}

// Returns the path of the first mock below the value. Empty if there is none.
std::string mock_in(const json::value& value, const std::string& path) {
  if (const auto* const list = value.if_array()) {
    for (std::size_t at = 0; at < list->size(); ++at) {
      if (auto found = mock_in((*list)[at], path + "." + std::to_string(at)); !found.empty()) return found;
    }
  }
  const auto* const object = value.if_object();
  if (object == nullptr) return {};
  if (object->contains("_opaque")) return path;
  for (const auto& [key, each] : *object) {
    if (auto found = mock_in(each, path.empty() ? std::string(key) : path + "." + std::string(key)); !found.empty())
      return found;
  }
  return {};
}

std::string mock_of_influence(const json::object& record) {
  const auto harmless = names_in(record, "opaque");
  for (const auto& [key, value] : record) {
    if (std::find(harmless.begin(), harmless.end(), key) != harmless.end()) continue;
    const auto found = mock_in(value, std::string(key));
    if (!found.empty() && std::find(harmless.begin(), harmless.end(), found) == harmless.end()) return found;
  }
  return {};
}

// Returns the first filter or weigher of the record that the driver does not have, since it is none of Nova's.
std::optional<std::string> unknown_name(const json::object& record) {
  auto filters = names_in(record, "filters");
  if (record.contains("filter")) filters.push_back(text_in(record, "filter"));
  for (const auto& name : filters) {
    if (find_filter(name) == nullptr) return name;
  }
  auto weighers = names_in(record, "weighers");
  if (record.contains("weigher")) weighers.push_back(text_in(record, "weigher"));
  for (const auto& name : weighers) {
    if (find_weigher(name) == nullptr) return name;
  }
  const auto* const described = record.if_contains("weighers");
  const auto* const list = described == nullptr ? nullptr : described->if_array();
  if (list == nullptr) return std::nullopt;
  const auto goes_by_name = [](const json::value& each) {
    return each.is_object() && each.get_object().contains("host_name_weights");
  };
  if (std::any_of(list->begin(), list->end(), goes_by_name)) return "a weigher by host names";
  return std::nullopt;
}

// Returns true if the record asks ComputeFilter and does not say for each host whether its service is up. Nova does not
// ask that of a disabled one.
bool lacks_service_up(const json::object& record) {
  auto filters = names_in(record, "filters");
  filters.push_back(text_in(record, "filter"));
  if (std::find(filters.begin(), filters.end(), "ComputeFilter") == filters.end()) return false;
  const auto* const up = record.if_contains("service_up");
  if (up == nullptr) return true;
  const auto* const list = up->if_array();
  const auto* const hosts = record.if_contains("hosts");
  if (list == nullptr) return !up->is_bool();
  return hosts != nullptr && hosts->is_array() && hosts->get_array().size() != list->size();
}

}  // namespace

std::string why_not_judged(const json::object& record) {
  for (const auto* const name : {"release", "config", "expected"}) {
    if (!record.contains(name)) return std::string("lacks ") + name;
  }
  const auto needed = needed_by_kind.find(text_in(record, "kind"));
  if (needed == needed_by_kind.end()) return {};
  for (const auto name : needed->second) {
    if (!has_one_of(record, name)) return "lacks " + std::string(name);
  }
  if (const auto mock = mock_of_influence(record); !mock.empty()) return mock + " is a mock";
  if (const auto name = unknown_name(record)) return "'" + *name + "' is no filter or weigher of Nova's";
  return {};
}

std::string what_is_lacking(const json::object& record) {
  if (!has_one_of(record, "spec|filter_properties") && text_in(record, "kind").starts_with("weigh"))
    return "spec|filter_properties";
  if (lacks_service_up(record)) return "service_up";
  const auto lacking = [](const json::value* host) -> std::string {
    const auto* const state = host == nullptr ? nullptr : host->if_object();
    if (state == nullptr) return {};
    for (const auto* const name : attributes) {
      if (!state->contains(name)) return std::string("host.") + name;
    }
    return {};
  };
  for (const auto* const name : {"host", "host_before"}) {
    if (auto found = lacking(record.if_contains(name)); !found.empty()) return found;
  }
  const auto* const hosts = record.if_contains("hosts");
  if (hosts == nullptr || !hosts->is_array()) return {};
  for (const auto& host : hosts->get_array()) {
    if (auto found = lacking(&host); !found.empty()) return found;
  }
  return {};
}

}  // namespace filter_driver::parity
