// SPDX-License-Identifier: Apache-2.0
//
// What an examination of the whole asks. Never more than names under the lock at once.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/encoding/uuid.hpp"
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

namespace {

// What sums of the same amounts in another order may differ by.
constexpr double rounding = 1e-9;

void add_claims(const RowState& row, std::map<std::string_view, OverLimit>& resources) {
  for (const auto* record : row.claims.all()) {
    for (const auto& item : record->claim.items) {
      auto& sums = resources[item.resource];
      if (std::isnan(item.limit)) {
        sums.unlimited += item.amount;
        continue;
      }
      sums.limit = sums.consumers.empty() ? item.limit : std::max(sums.limit, item.limit);
      sums.limited += item.amount;
      sums.consumers.push_back(record->claim.consumer);
    }
  }
}

void add_reported_use(const RowState& row, std::map<std::string_view, OverLimit>& resources) {
  constexpr std::array<std::string_view, 3> used{"vcpu", "memory_mb", "disk_gb"};  // in the order of RowState::use
  for (std::size_t at = 0; at < used.size(); ++at) {
    const auto found = resources.find(used[at]);
    if (found != resources.end() && !std::isnan(row.use[at])) found->second.reported = row.use[at];
  }
}

}  // namespace

std::vector<Fleet::NodeName> Fleet::compute_node_names() const {
  std::vector<NodeName> names;
  const std::lock_guard lock(state_->mutex);
  for (const auto& [topic, hosts] : state_->topics) {
    for (const auto* row : hosts->table().rows()) {
      if (row->reported) names.push_back({topic, row->host->host, row->node});
    }
  }
  return names;
}

std::vector<Fleet::NodeName> Fleet::capabilities_names() const {
  std::vector<NodeName> names;
  const std::lock_guard lock(state_->mutex);
  for (const auto& [name, hosts] : state_->topics) {
    hosts->each([&names, &topic = name](const HostEntry& host) {
      if (host.capabilities != nullptr) names.push_back({topic, host.host, {}});
    });
  }
  return names;
}

std::vector<std::string> Fleet::instance_uuids() const {
  std::vector<std::string> uuids;
  const std::lock_guard lock(state_->mutex);
  uuids.reserve(state_->instances.size());
  for (const auto& record : state_->instances) uuids.push_back(to_text(record->uuid));
  return uuids;
}

std::optional<Claim> Fleet::find_claim(std::string_view consumer, std::string_view topic, std::string_view host,
                                       std::string_view node, std::string_view id) const {
  Claim named;
  named.consumer = consumer;
  named.topic = topic;
  named.host = host;
  named.node = node;
  named.id = id;
  const std::lock_guard lock(state_->mutex);
  const auto* record = state_->claims.find(named);
  if (record == nullptr) return std::nullopt;
  return record->claim;
}

std::vector<OverLimit> Fleet::over_limits() const {
  std::vector<OverLimit> found;
  const std::lock_guard lock(state_->mutex);
  for (const auto& [topic, hosts] : state_->topics) {
    for (const auto* row : hosts->table().rows()) {
      if (row->claims.all().empty()) continue;
      std::map<std::string_view, OverLimit> resources;
      add_claims(*row, resources);
      add_reported_use(*row, resources);
      for (auto& [resource, sums] : resources) {
        const double total = sums.limited + sums.unlimited + sums.reported;
        if (sums.consumers.empty() || total <= sums.limit + rounding * std::max(1.0, std::abs(sums.limit))) continue;
        sums.topic = topic;
        sums.host = row->host->host;
        sums.node = row->node;
        sums.resource = resource;
        found.push_back(std::move(sums));
      }
    }
  }
  return found;
}

}  // namespace gantry::fleet
