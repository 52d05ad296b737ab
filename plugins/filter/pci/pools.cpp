// SPDX-License-Identifier: Apache-2.0
#include "pci/pools.hpp"

#include <algorithm>
#include <array>

#include "nova/object.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

std::string lower_text(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lowered;
}

bool is_text(const json::value* value, std::string_view text) {
  return value != nullptr && value->is_string() && value->get_string() == text;
}

// Returns the object's fields and its tags in one list, without the count.
outcome<pci_pool> read_pool(const json::value& element) {
  const json::object* fields = nova_fields(element);
  if (fields == nullptr) return unreadable("a PCI pool", "an object");
  pci_pool pool;
  const auto add = [&](std::string_view key, const json::value& value) {
    const auto same =
        std::find_if(pool.values.begin(), pool.values.end(), [&](const pci_value& known) { return known.key == key; });
    if (same != pool.values.end()) {
      *same = comparable(key, value);
    } else {
      pool.values.push_back(comparable(key, value));
    }
  };
  bool counted = false;
  for (const auto& [key, value] : *fields) {
    if (key == "count") {
      const std::optional<std::int64_t> count = nova_integer(value);
      if (!count || *count < 0 || *count > most_pci_devices) {
        return unreadable("PciDevicePool.count = " + json::serialize(value),
                          "a whole number from 0 to a thousand million");
      }
      pool.count = *count;
      counted = true;
    } else if (key != "tags") {
      add(key, value);
    }
  }
  if (!counted) return unreadable("PciDevicePool.count", "set");
  if (const json::value* tags = nova_field(*fields, "tags")) {
    if (!tags->is_object()) return unreadable("PciDevicePool.tags", "an object");
    for (const auto& [key, value] : tags->get_object()) add(key, value);
  }
  if (const pci_value* node = pool.find("numa_node")) pool.numa_node = nova_integer(node->value);
  const pci_value* type = pool.find("dev_type");
  const pci_value* remote_managed = pool.find("remote_managed");
  pool.is_pf = type != nullptr && is_text(&type->value, "type-PF");
  pool.is_vdpa = type != nullptr && is_text(&type->value, "vdpa");
  pool.remote_managed = remote_managed != nullptr && is_true_text(&remote_managed->value);
  const pci_value* provider = pool.find("rp_uuid");
  pool.has_provider = provider != nullptr;
  if (provider != nullptr && provider->value.is_string()) pool.provider = provider->value.get_string();
  return pool;
}

}  // namespace

pci_value comparable(std::string_view key, const json::value& value) {
  return {std::string(key), value, value.is_string() ? lower_text(value.get_string()) : std::string()};
}

bool is_true_text(const json::value* value) {
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  if (const std::optional<std::int64_t> number = nova_integer(*value)) return *number == 1;
  if (!value->is_string()) return false;
  std::string_view text = value->get_string();
  constexpr std::string_view blank = " \t\n\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  text.remove_suffix(text.size() - std::min(text.find_last_not_of(blank) + 1, text.size()));
  constexpr std::array<std::string_view, 6> truths = {"1", "t", "true", "on", "y", "yes"};
  return std::find(truths.begin(), truths.end(), lower_text(text)) != truths.end();
}

outcome<std::optional<pci_pools>> read_pci_pools(const json::value& value) {
  json::value inner;
  if (value.is_string()) {
    boost::system::error_code error;
    inner = json::parse(value.get_string(), error);
    if (error) return unreadable("pci_stats", "valid JSON: " + error.message());
  }
  const json::value& read = value.is_string() ? inner : value;
  if (read.is_null()) return std::optional<pci_pools>();
  const json::object* fields = nova_fields(read);
  const json::value* objects = fields == nullptr ? nullptr : fields->if_contains("objects");
  const json::value* pools = fields == nullptr ? &read : fields->if_contains("pools");
  const json::value* list = objects != nullptr ? objects : pools;
  if (list == nullptr || !list->is_array()) return unreadable("pci_stats", "a list of PCI pools");
  std::optional<pci_pools> all(std::in_place);
  all->reserve(list->get_array().size());
  for (const json::value& element : list->get_array()) {
    outcome<pci_pool> pool = read_pool(element);
    if (!pool) return pool.error();
    all->push_back(std::move(*pool));
  }
  std::stable_sort(all->begin(), all->end(),
                   [](const pci_pool& a, const pci_pool& b) { return a.values.size() < b.values.size(); });
  return all;
}

json::value to_json(const pci_pools& pools) {
  json::array objects;
  objects.reserve(pools.size());
  for (const pci_pool& pool : pools) {
    json::object fields;
    json::object tags;
    for (const pci_value& value : pool.values) {
      const bool own = value.key == "vendor_id" || value.key == "product_id" || value.key == "numa_node";
      (own ? fields : tags)[value.key] = value.value;
    }
    fields["tags"] = std::move(tags);
    fields["count"] = pool.count;
    objects.push_back(nova_object("PciDevicePool", "1.1", std::move(fields)));
  }
  return nova_object("PciDevicePoolList", "1.1", {{"objects", std::move(objects)}});
}

json::array to_flat_json(const pci_pools& pools) {
  json::array flat;
  flat.reserve(pools.size());
  for (const pci_pool& pool : pools) {
    json::object fields;
    for (const pci_value& value : pool.values) fields[value.key] = value.value;
    fields["count"] = pool.count;
    flat.push_back(std::move(fields));
  }
  return flat;
}

}  // namespace filter_driver
