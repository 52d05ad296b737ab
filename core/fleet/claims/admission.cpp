// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/claims/admission.hpp"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>

namespace gantry::fleet {

namespace {

// In the order of RowState::use.
constexpr std::array<std::string_view, 3> used_resources{"vcpu", "memory_mb", "disk_gb"};

double reported_use(const RowState& row, std::string_view resource) {
  for (std::size_t at = 0; at < used_resources.size(); ++at) {
    if (used_resources[at] == resource) return std::isnan(row.use[at]) ? 0 : row.use[at];
  }
  return 0;
}

// Returns the amount of each resource that the items name.
auto amounts_of(const Claim& claim) {
  boost::unordered_flat_map<std::string_view, double> amounts;
  for (const auto& item : claim.items) amounts[item.resource] += item.amount;
  return amounts;
}

bool has_limit_of_a_named_resource(const Claim& claim) {
  return std::any_of(claim.items.begin(), claim.items.end(), [](const ClaimItem& item) {
    return !std::isnan(item.limit) &&
           std::find(used_resources.begin(), used_resources.end(), item.resource) == used_resources.end();
  });
}

bool shows_documents(const Table& table, const RowState& live, const gantry_view& view, std::uint32_t row) {
  constexpr std::array documents{CoreColumn::numa_topology, CoreColumn::pci_stats};
  return std::all_of(documents.begin(), documents.end(), [&](CoreColumn document) {
    const auto position = position_of(document);
    const auto& column = *reinterpret_cast<const gantry_column*>(reinterpret_cast<const char*>(view.columns) +
                                                                 std::size_t{position} * view.column_stride);
    const auto& now = table.json_text(live, position);
    const bool shown = column.validity == nullptr || ((column.validity[row / 64] >> (row % 64)) & 1U) != 0;
    if (!shown || now == nullptr) return !shown && now == nullptr;
    return static_cast<const gantry_json*>(column.values)[row].version == now->version();
  });
}

}  // namespace

bool has_room(const RowState& row, const Claim& claim, std::span<ClaimRecord* const> except) {
  const auto wanted = amounts_of(claim);
  return std::all_of(claim.items.begin(), claim.items.end(), [&](const ClaimItem& item) {
    if (!(item.amount >= 0 && item.amount <= most_claimed)) return false;
    const double used = reported_use(row, item.resource) + row.claims.held(item.resource, except);
    return std::isnan(item.limit) || used + wanted.at(item.resource) <= item.limit;
  });
}

bool documents_are_current(const Claim& claim, const Table& table, const RowState& live, const gantry_view& view,
                           std::uint32_t row) {
  return !has_limit_of_a_named_resource(claim) || shows_documents(table, live, view, row);
}

}  // namespace gantry::fleet
