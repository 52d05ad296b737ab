// SPDX-License-Identifier: Apache-2.0
#include "hosts/claimed_resources.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <vector>

namespace filter_driver {

namespace {

constexpr std::string_view claims_prefix = "claims.";
constexpr std::string_view cpu_prefix = "numa.cpu.";

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
  return {text.data(), end};
}

// FNV-1a.
std::uint64_t hash(std::string_view text) {
  std::uint64_t mixed = 0xcbf29ce484222325U;
  for (const char letter : text) mixed = (mixed ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return mixed;
}

std::string pool_value(const pci_pool& pool, std::string_view key) {
  const auto* const found = pool.find(key);
  if (found == nullptr) return "-";
  return found->value.is_string() ? std::string(found->value.get_string()) : boost::json::serialize(found->value);
}

std::int64_t whole_number(double amount) {
  return std::llround(amount);
}

}  // namespace

std::string resource_of_cpu(cpu_number cpu) {
  return std::string(cpu_prefix) + std::to_string(cpu);
}

std::string resource_of_cell(std::int64_t cell, std::string_view what) {
  return "numa." + std::to_string(cell) + "." + std::string(what);
}

std::string resource_of_pages(std::int64_t cell, std::int64_t size_kb) {
  return resource_of_cell(cell, "pages." + std::to_string(size_kb));
}

std::string resource_of_pool(const pci_pool& pool) {
  std::vector<std::string> parts;
  parts.reserve(pool.values.size());
  for (const auto& each : pool.values) parts.push_back(each.key + "=" + boost::json::serialize(each.value) + "\n");
  std::sort(parts.begin(), parts.end());
  std::string all;
  for (const auto& part : parts) all += part;
  return "pci." + pool_value(pool, "vendor_id") + "." + pool_value(pool, "product_id") + "." + hexadecimal(hash(all));
}

claimed_resources::claimed_resources(const gantry::view& view) {
  const auto& raw = view.raw();
  const auto* at = reinterpret_cast<const char*>(raw.columns);
  for (std::uint32_t index = 0; index < raw.column_count; ++index, at += raw.column_stride) {
    const auto& column = *reinterpret_cast<const gantry_column*>(at);
    auto name = gantry::text(column.name);
    if (column.type != GANTRY_TYPE_F64 || !name.starts_with(claims_prefix)) continue;
    name.remove_prefix(claims_prefix.size());
    const bool is_ours =
        name == numa_resource || name == pci_resource || name.starts_with("numa.") || name.starts_with("pci.");
    if (is_ours) columns_.emplace(name, static_cast<const double*>(column.values));
  }
}

double claimed_resources::of(std::string_view resource, std::uint32_t row) const {
  const auto found = columns_.find(resource);
  return found == columns_.end() ? 0 : found->second[row];
}

void claimed_resources::add_to(host_topology& topology, std::uint32_t row) const {
  std::vector<cpu_number> pinned;
  for (const auto& [resource, amounts] : columns_) {
    if (!resource.starts_with(cpu_prefix) || amounts[row] <= 0) continue;
    cpu_number cpu = -1;
    const auto digits = resource.substr(cpu_prefix.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), cpu).ec == std::errc()) pinned.push_back(cpu);
  }
  std::sort(pinned.begin(), pinned.end());
  for (auto& cell : topology.cells) {
    cell.cpu_usage += whole_number(of(resource_of_cell(cell.id, "cpu_usage"), row));
    cell.memory_usage += whole_number(of(resource_of_cell(cell.id, "memory_usage"), row));
    for (auto& pages : cell.mempages) pages.used += whole_number(of(resource_of_pages(cell.id, pages.size_kb), row));
    std::vector<cpu_number> here;
    std::copy_if(pinned.begin(), pinned.end(), std::back_inserter(here),
                 [&](cpu_number cpu) { return cell.pcpuset.contains(cpu) && !cell.pinned_cpus.contains(cpu); });
    if (!here.empty()) cell.pinned_cpus = joined(cell.pinned_cpus, here);
    cell.count_free();
  }
}

void claimed_resources::take_from(pci_pools& pools, std::uint32_t row) const {
  std::unordered_map<std::string, std::int64_t> claimed;
  for (auto& pool : pools) {
    const auto resource = resource_of_pool(pool);
    const auto [left, is_new] = claimed.try_emplace(resource, 0);
    if (is_new) left->second = whole_number(of(resource, row));
    const auto taken = std::min(pool.count, left->second);
    pool.count -= taken;
    left->second -= taken;
  }
  pools.erase(std::remove_if(pools.begin(), pools.end(), [](const pci_pool& pool) { return pool.count <= 0; }),
              pools.end());
}

}  // namespace filter_driver
