// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/topics/listed_instances.hpp"

#include <algorithm>
#include <tuple>

namespace gantry::fleet {

namespace {

bool comes_before(const RowState& a, const RowState& b) {
  return std::tie(a.host->host, a.node) < std::tie(b.host->host, b.node);
}

}  // namespace

void ListedInstances::add(const gantry_uuid& instance, RowState& row) {
  const auto [found, is_new] = rows_.emplace(instance, &row);
  if (is_new) return;
  auto* further = &row;
  if (comes_before(row, *found->second)) std::swap(further, found->second);
  further_rows_.emplace(instance, further);
}

void ListedInstances::remove(const gantry_uuid& instance, const RowState& row) {
  const auto found = rows_.find(instance);
  const auto [first, last] = further_rows_.equal_range(instance);
  if (found->second != &row) {
    further_rows_.erase(std::find_if(first, last, [&row](const auto& entry) { return entry.second == &row; }));
    return;
  }
  const auto next =
      std::min_element(first, last, [](const auto& a, const auto& b) { return comes_before(*a.second, *b.second); });
  if (next == last) {
    rows_.erase(found);
    return;
  }
  found->second = next->second;
  further_rows_.erase(next);
}

RowState* ListedInstances::find(const gantry_uuid& instance) const {
  const auto found = rows_.find(instance);
  return found == rows_.end() ? nullptr : found->second;
}

std::vector<const RowState*> ListedInstances::all(const gantry_uuid& instance) const {
  std::vector<const RowState*> rows;
  if (const auto* first = find(instance)) rows.push_back(first);
  const auto [begin, end] = further_rows_.equal_range(instance);
  for (auto at = begin; at != end; ++at) rows.push_back(at->second);
  return rows;
}

}  // namespace gantry::fleet
