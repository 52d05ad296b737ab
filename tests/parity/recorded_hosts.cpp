// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_hosts.hpp"

#include <deque>
#include <map>

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
using rows = std::vector<const json::object*>;

const json::value* field(const json::object& host, std::string_view name) {
  const auto* const found = host.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

double number(const json::value* value) {
  if (value == nullptr) return none;
  if (const auto* const object = value->if_object(); object != nullptr && object->contains("_float"))
    return std::stod(std::string(object->at("_float").as_string()));
  return value->is_number() ? value->to_number<double>() : none;
}

class documents final : public document_column {
 public:
  explicit documents(std::vector<json::value> values) : values_(std::move(values)) {}
  const json::value& at(std::uint32_t row) const override { return values_[row]; }
  std::uint64_t identity(std::uint32_t row) const override { return row + 1; }

 private:
  std::vector<json::value> values_;
};

class instances final : public instance_column {
 public:
  explicit instances(const rows& hosts) : hosts_(hosts) {}

  bool holds(std::uint32_t row, std::string_view uuid) const override {
    bool found = false;
    for_each(row, [&](std::string_view here, const instance_type&) { found = found || here == uuid; });
    return found;
  }
  std::vector<std::uint32_t> rows_of(std::span<const std::string> uuids) const override {
    std::vector<std::uint32_t> found;
    for (std::uint32_t row = 0; row < hosts_.size(); ++row) {
      for (const auto& uuid : uuids) {
        if (holds(row, uuid)) found.push_back(row);
      }
    }
    return found;
  }
  void for_each(std::uint32_t row, const visitor& visit) const override {
    const auto* const list = field(*hosts_[row], "instances");
    if (list == nullptr) return;
    for (const auto& each : list->as_array()) {
      const auto* const type = field(each.as_object(), "instance_type_id");
      visit(each.as_object().at("uuid").as_string(),
            {type == nullptr ? std::nullopt : std::optional(type->to_number<std::int64_t>()), {}, false});
    }
  }

 private:
  rows hosts_;
};

// Icehouse keeps a dictionary of metrics, later releases a list, of which the last of a name counts.
json::value metrics_of(const json::object& host) {
  const auto* const metrics = field(host, "metrics");
  if (metrics == nullptr) return nullptr;
  const auto* const list = metrics->as_object().if_contains("objects");
  json::object by_name;
  if (list == nullptr) {
    for (const auto& [name, item] : metrics->as_object()) {
      const auto* const value = item.is_object() ? item.as_object().if_contains("value") : nullptr;
      by_name[name] = value == nullptr ? item : *value;
    }
    return by_name;
  }
  for (const auto& item : list->as_array()) {
    // One that counts by NUMA node has no value.
    const auto* const value = item.as_object().if_contains("value");
    by_name[item.as_object().at("name").as_string()] = value == nullptr ? json::value(nullptr) : *value;
  }
  return by_name;
}

json::value pools_of(const json::object& host) {
  const auto* const stats = field(host, "pci_stats");
  return stats == nullptr ? json::value(nullptr) : stats->as_object().at("pools");
}

}  // namespace

json::value recorded_images(const json::object& host) {
  const auto* const list = field(host, "instances");
  if (list == nullptr) return nullptr;
  json::array images;
  for (const auto& each : list->as_array()) {
    const auto* const metadata = field(each.as_object(), "system_metadata");
    if (metadata == nullptr) continue;
    json::object properties;
    for (const auto& [key, value] : metadata->as_object()) {
      if (std::string_view(key).starts_with("image_")) properties[std::string_view(key).substr(6)] = value;
    }
    images.push_back(json::array{1, std::move(properties)});
  }
  return images;
}

struct recorded_hosts::storage {
  explicit storage(const rows& all) : hosts(all), on_hosts(all) {}

  number_column numbers(std::string_view name) {
    auto& values = doubles.emplace_back();
    for (const auto* const host : hosts) values.push_back(number(field(*host, name)));
    return number_column(values.data());
  }
  text_codes texts(std::string_view name) {
    return texts_by([name](const json::object& host) { return field(host, name); });
  }
  template <class Find>
  text_codes texts_by(Find&& find) {
    auto& column = text_columns.emplace_back();
    column.validity.assign((hosts.size() + 63) / 64, 0);
    std::map<std::string_view, std::uint32_t> known;
    for (std::size_t row = 0; row < hosts.size(); ++row) {
      const json::value* const value = find(*hosts[row]);
      column.codes.push_back(0);
      if (value == nullptr) continue;
      const std::string_view text = value->as_string();
      const auto [at, is_new] = known.emplace(text, static_cast<std::uint32_t>(column.dictionary.size()));
      if (is_new) column.dictionary.push_back({text.data(), text.size()});
      column.codes.back() = at->second;
      column.validity[row / 64] |= std::uint64_t{1} << (row % 64);
    }
    return {column.codes.data(), column.validity.data(), column.dictionary};
  }
  template <class Find>
  const document_column* documents_by(Find&& find) {
    std::vector<json::value> values;
    for (const auto* const host : hosts) values.push_back(find(*host));
    return &kept.emplace_back(std::move(values));
  }
  const document_column* documents_of(std::string_view name) {
    return documents_by([name](const json::object& host) {
      const auto* const value = field(host, name);
      return value == nullptr ? json::value(nullptr) : *value;
    });
  }
  // Each host's set stands alone.
  aggregate_sets sets_of_aggregates() {
    std::vector<aggregate> all;
    for (const auto* const host : hosts) {
      set_codes.push_back(static_cast<std::uint32_t>(sets.size()));
      auto& set = sets.emplace_back(gantry_slice{static_cast<std::uint32_t>(set_elements.size()), 0});
      const auto* const list = field(*host, "aggregates");
      if (list == nullptr) continue;
      for (const auto& each : list->as_array()) {
        set_elements.push_back(static_cast<std::uint32_t>(all.size()));
        ++set.count;
        auto& pairs = metadata.emplace_back();
        for (const auto& [key, value] : each.as_object().at("metadata").as_object())
          pairs.push_back({{key.data(), key.size()}, {value.as_string().data(), value.as_string().size()}});
        all.push_back({0, {}, {}, text_pairs(gantry_pairs{pairs.data(), pairs.size()})});
      }
    }
    return {set_codes.data(), nullptr, sets, set_elements.data(), std::move(all)};
  }

  struct texts_of_a_column {
    std::vector<std::uint32_t> codes;
    std::vector<std::uint64_t> validity;
    std::vector<gantry_string> dictionary;
  };

  rows hosts;
  std::vector<std::uint64_t> disabled;
  std::vector<std::uint64_t> up;
  std::deque<std::vector<double>> doubles;
  std::deque<documents> kept;
  std::deque<texts_of_a_column> text_columns;
  std::deque<std::vector<gantry_pair>> metadata;
  std::vector<std::uint32_t> set_codes;
  std::vector<gantry_slice> sets;
  std::vector<std::uint32_t> set_elements;
  instances on_hosts;
};

recorded_hosts::~recorded_hosts() = default;

recorded_hosts::recorded_hosts(const rows& hosts, const std::vector<bool>& up)
    : storage_(std::make_unique<storage>(hosts)) {
  auto& from = *storage_;
  table_.rows = static_cast<std::uint32_t>(hosts.size());
  table_.host = from.texts("host");
  table_.nodename = from.texts("nodename");
  table_.host_ip = from.texts("host_ip");
  table_.availability_zone = from.texts("availability_zone");
  table_.hypervisor_type = from.texts("hypervisor_type");
  table_.hypervisor_hostname = from.texts("hypervisor_hostname");
  table_.cell_uuid = from.texts("cell_uuid");
  table_.uuid = from.texts("uuid");
  table_.free_ram_mb = from.numbers("free_ram_mb");
  table_.total_usable_ram_mb = from.numbers("total_usable_ram_mb");
  table_.free_disk_mb = from.numbers("free_disk_mb");
  table_.total_usable_disk_gb = from.numbers("total_usable_disk_gb");
  table_.disk_mb_used = from.numbers("disk_mb_used");
  table_.vcpus_total = from.numbers("vcpus_total");
  table_.vcpus_used = from.numbers("vcpus_used");
  table_.num_instances = from.numbers("num_instances");
  table_.num_io_ops = from.numbers("num_io_ops");
  table_.failed_builds = from.numbers("failed_builds");
  table_.cpu_allocation_ratio = from.numbers("cpu_allocation_ratio");
  table_.ram_allocation_ratio = from.numbers("ram_allocation_ratio");
  table_.disk_allocation_ratio = from.numbers("disk_allocation_ratio");
  table_.hypervisor_version = from.numbers("hypervisor_version");
  from.disabled.assign((hosts.size() + 63) / 64, 0);
  from.up.assign((hosts.size() + 63) / 64, 0);
  for (std::size_t row = 0; row < hosts.size(); ++row) {
    const auto bit = std::uint64_t{1} << (row % 64);
    if (up.empty() || up.at(row)) from.up[row / 64] |= bit;
    const auto* const service = field(*hosts[row], "service");
    const auto* const disabled = service == nullptr ? nullptr : field(service->as_object(), "disabled");
    if (disabled != nullptr && disabled->is_bool() && disabled->as_bool()) from.disabled[row / 64] |= bit;
  }
  table_.service_disabled = from.disabled.data();
  table_.service_up = from.up.data();
  table_.service_host = from.texts_by([](const json::object& host) {
    const auto* const service = field(host, "service");
    return service == nullptr ? nullptr : field(service->as_object(), "host");
  });
  table_.cpu_info = from.documents_of("cpu_info");
  table_.supported_instances = from.documents_of("supported_instances");
  table_.stats = from.documents_of("stats");
  table_.capabilities = from.documents_of("capabilities");
  table_.numa_topology = from.documents_of("numa_topology");
  table_.metrics = from.documents_by(metrics_of);
  table_.pci_stats = from.documents_by(pools_of);
  table_.image_properties = from.documents_by(recorded_images);
  table_.aggregates = from.sets_of_aggregates();
  table_.instances = &from.on_hosts;
}

}  // namespace filter_driver::parity
