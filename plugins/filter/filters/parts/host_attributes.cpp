// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/host_attributes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "nova/ip_network.hpp"
#include "python/python_number.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

namespace json = boost::json;

namespace {

// The host states that have an attribute.
constexpr auto in_icehouse = static_cast<unsigned>(host_state::of_icehouse);
constexpr auto in_ocata = static_cast<unsigned>(host_state::of_ocata);
constexpr auto in_zed = static_cast<unsigned>(host_state::of_zed);
constexpr unsigned in_all = in_icehouse | in_ocata | in_zed;

}  // namespace

struct host_attributes::offered {
  std::string_view name;
  unsigned states;
  source from;
};

host_attributes::source host_attributes::source_of(std::string_view name, release release) {
  constexpr unsigned from_ocata = in_ocata | in_zed;
  using table = host_table;
  static const std::array all{
      offered{"host", in_all, &table::host},
      offered{"nodename", in_all, &table::nodename},
      offered{"uuid", in_zed, &table::uuid},
      offered{"total_usable_ram_mb", in_all, &table::total_usable_ram_mb},
      offered{"total_usable_disk_gb", in_all, &table::total_usable_disk_gb},
      offered{"disk_mb_used", in_all, &table::disk_mb_used},
      offered{"free_ram_mb", in_all, &table::free_ram_mb},
      offered{"free_disk_mb", in_all, &table::free_disk_mb},
      offered{"vcpus_total", in_all, &table::vcpus_total},
      offered{"vcpus_used", in_all, &table::vcpus_used},
      offered{"pci_stats", from_ocata, &table::pci_stats},
      offered{"numa_topology", from_ocata, &table::numa_topology},
      offered{"num_instances", in_all, &table::num_instances},
      offered{"num_io_ops", in_all, &table::num_io_ops},
      offered{"failed_builds", in_zed, &table::failed_builds},
      offered{"host_ip", in_all, &table::host_ip},
      offered{"hypervisor_type", in_all, &table::hypervisor_type},
      offered{"hypervisor_version", in_all, &table::hypervisor_version},
      offered{"hypervisor_hostname", in_all, &table::hypervisor_hostname},
      offered{"cpu_info", in_all, &table::cpu_info},
      offered{"supported_instances", in_all, &table::supported_instances},
      offered{"limits", in_all, made_up::limits},
      offered{"metrics", in_all, &table::metrics},
      offered{"aggregates", from_ocata, made_up::aggregates},
      offered{"instances", from_ocata, made_up::instances},
      offered{"ram_allocation_ratio", from_ocata, real{&table::ram_allocation_ratio}},
      offered{"cpu_allocation_ratio", from_ocata, real{&table::cpu_allocation_ratio}},
      offered{"disk_allocation_ratio", from_ocata, real{&table::disk_allocation_ratio}},
      offered{"cell_uuid", in_zed, &table::cell_uuid},
      offered{"updated", in_all, made_up::updated},
      offered{"stats", in_all, &table::stats},
      offered{"service", in_all, made_up::service},
      offered{"capabilities", in_icehouse, &table::capabilities},
      offered{"vm_states", in_icehouse, counts{"num_vm_"}},
      offered{"task_states", in_icehouse, counts{"num_task_"}},
      offered{"num_instances_by_project", in_icehouse, counts{"num_proj_"}},
      offered{"num_instances_by_os_type", in_icehouse, counts{"num_os_type_"}},
  };
  const auto asked = static_cast<unsigned>(release->attributes);
  const auto* const found = std::find_if(
      all.begin(), all.end(), [&](const offered& each) { return each.name == name && (each.states & asked) != 0; });
  return found == all.end() ? source() : found->from;
}

host_attributes::host_attributes(const host_table& hosts, release release, std::span<const std::string> names)
    : hosts_(hosts) {
  slots_.reserve(names.size());
  for (const auto& name : names) slots_.push_back({name, source_of(name, release), false, false, {}});
}

claims_effect host_attributes::effect_of_claims() const {
  constexpr std::array<std::string_view, 6> numbers{"free_ram_mb", "free_disk_mb",  "disk_mb_used",
                                                    "vcpus_used",  "num_instances", "num_io_ops"};
  constexpr std::array<std::string_view, 3> others{"numa_topology", "pci_stats", "instances"};
  auto effect = claims_effect::none;
  for (const auto& slot : slots_) {
    if (std::find(others.begin(), others.end(), slot.name) != others.end()) return claims_effect::unforeseen;
    if (std::find(numbers.begin(), numbers.end(), slot.name) != numbers.end()) effect = claims_effect::by_numbers;
  }
  return effect;
}

void host_attributes::go_to(std::uint32_t row) {
  row_ = row;
  for (auto& slot : slots_) slot.is_asked = slot.is_made = false;
}

const json::value* host_attributes::find(std::string_view name) const {
  for (auto& slot : slots_) {
    if (slot.name != name) continue;
    slot.is_asked = true;
    if (std::holds_alternative<std::monostate>(slot.from)) return nullptr;
    if (const auto* const column = std::get_if<const document_column * host_table::*>(&slot.from)) {
      const document_column* const documents = hosts_.**column;
      // Nova's stats are never None. A host state without a compute node's update does not have the attribute.
      const bool is_missing = *column == &host_table::stats && documents != nullptr && documents->at(row_).is_null();
      if (is_missing) return nullptr;
      if (documents != nullptr) return &documents->at(row_);
    }
    if (!slot.is_made) make(slot);
    slot.is_made = true;
    return &slot.value;
  }
  return nullptr;
}

void host_attributes::make(named& slot) const {
  struct maker {
    const host_attributes& of;
    host_attributes::named& slot;

    void operator()(std::monostate /*none*/) const { slot.value = nullptr; }
    void operator()(text_codes host_table::*column) const {
      of.make_text(slot, of.hosts_.*column);
      // Nova stores an address object and shows its canonical text.
      if (column == &host_table::host_ip && slot.value.is_string())
        slot.value = canonical_address(slot.value.get_string());
    }
    void operator()(number_column host_table::*column) const { slot.value = of.number(of.hosts_.*column, false); }
    void operator()(real from) const { slot.value = of.number(of.hosts_.*from.column, true); }
    void operator()(const document_column* host_table::* /*column*/) const { slot.value = nullptr; }
    void operator()(counts from) const { slot.value = of.counted(from.prefix); }
    void operator()(made_up what) const {
      switch (what) {
        case made_up::limits: slot.value = json::object(); break;
        case made_up::updated: slot.value = nullptr; break;
        case made_up::service: slot.value = of.service(); break;
        case made_up::aggregates: slot.value = of.aggregates(); break;
        case made_up::instances: slot.value = of.instances(); break;
      }
    }
  };
  std::visit(maker{*this, slot}, slot.from);
}

void host_attributes::make_text(named& slot, const text_codes& column) const {
  const auto text = column[row_];
  if (!text)
    slot.value = nullptr;
  else if (auto* const room = slot.value.if_string())
    room->assign(*text);
  else
    slot.value = *text;
}

json::value host_attributes::number(const number_column& column, bool is_real) const {
  const double value = column[row_];
  if (is_real && !std::isnan(value)) return value;
  return int_or_double(value);
}

json::value host_attributes::service() const {
  const auto* const disabled = hosts_.service_disabled;
  json::object all{{"disabled", disabled != nullptr && ((disabled[row_ / 64] >> (row_ % 64)) & 1) != 0}};
  if (const auto host = hosts_.service_host[row_]) all["host"] = *host;
  return all;
}

json::value host_attributes::aggregates() const {
  json::array all;
  for (const auto* const each : hosts_.aggregates.of_code(hosts_.aggregates.code(row_))) {
    json::object metadata;
    for (const auto& [key, value] : each->metadata) metadata[key] = value;
    all.push_back(
        json::object{{"id", each->id}, {"uuid", each->uuid}, {"name", each->name}, {"metadata", std::move(metadata)}});
  }
  return all;
}

json::value host_attributes::instances() const {
  json::object all;
  if (hosts_.instances == nullptr) return all;
  hosts_.instances->for_each(row_, [&all](std::string_view uuid, const instance_type& type) {
    all[uuid] = json::object{{"uuid", uuid}, {"instance_type_id", json::value_from(type.id)}};
  });
  return all;
}

json::value host_attributes::counted(std::string_view prefix) const {
  json::object all;
  const auto* const stats = hosts_.stats == nullptr ? nullptr : hosts_.stats->at(row_).if_object();
  if (stats == nullptr) return all;
  for (const auto& [key, value] : *stats) {
    if (!std::string_view(key).starts_with(prefix)) continue;
    const auto count = value.is_string() ? int_of(value.get_string()) : outcome<json::value>(value);
    if (count.ok()) all[std::string_view(key).substr(prefix.size())] = count.value();
  }
  return all;
}

bool host_attributes::identity(std::size_t at, std::uint64_t& number) const {
  struct finder {
    const host_table& hosts;
    std::uint32_t row;
    std::uint64_t& number;

    bool known(std::uint64_t value) const {
      number = value;
      return true;
    }
    bool of(const document_column* documents) const {
      number = documents == nullptr ? 1 : documents->identity(row);
      return number != 0;
    }
    bool operator()(std::monostate /*none*/) const { return known(0); }
    bool operator()(text_codes host_table::*column) const { return known((hosts.*column).code(row)); }
    bool operator()(number_column host_table::*column) const {
      return known(std::bit_cast<std::uint64_t>((hosts.*column)[row]));
    }
    bool operator()(real from) const { return (*this)(from.column); }
    bool operator()(const document_column* host_table::*column) const { return of(hosts.*column); }
    bool operator()(counts /*from*/) const { return of(hosts.stats); }
    bool operator()(made_up what) const {
      if (what == made_up::instances) return false;
      if (what == made_up::aggregates) return known(hosts.aggregates.code(row));
      if (what != made_up::service) return known(0);
      const std::uint64_t host = hosts.service_host.code(row);
      if (hosts.service_disabled == nullptr) return known(host << 1);
      return known(host << 1 | ((hosts.service_disabled[row / 64] >> (row % 64)) & 1));
    }
  };
  return std::visit(finder{hosts_, row_, number}, slots_[at].from);
}

}  // namespace filter_driver
