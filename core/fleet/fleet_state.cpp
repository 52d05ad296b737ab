// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet_state.hpp"

#include <algorithm>
#include <limits>

#include "core/encoding/uuid.hpp"

namespace gantry::fleet {

Fleet::State::State(FleetSettings its_settings)
    : settings(std::move(its_settings)),
      clock(std::numeric_limits<Nanoseconds>::min()),
      fresh_since(std::numeric_limits<Nanoseconds>::min()),
      next_event(std::numeric_limits<Nanoseconds>::min()) {
  topic(compute_topic);
}

TopicHosts* Fleet::State::find_topic(std::string_view name) const {
  const auto found = topics.find(name);
  return found == topics.end() ? nullptr : found->second.get();
}

TopicHosts& Fleet::State::topic(std::string_view name) {
  if (auto* found = find_topic(name)) return *found;
  const Surroundings surroundings{&settings, &texts, &aggregates, &fresh_since};
  auto made = std::make_unique<TopicHosts>(std::string(name), surroundings, std::make_shared<const Schema>());
  for (const auto& column : declared_columns) made->add_stats_column(column);
  for (const auto& resource : claims_resources) made->add_claims_column(resource);
  return *topics.emplace(name, std::move(made)).first->second;
}

HostEntry* Fleet::State::find_host(std::string_view topic_name, std::string_view host) const {
  const auto* found = find_topic(topic_name);
  return found ? found->find(host) : nullptr;
}

void Fleet::State::add_claims_resource(std::string_view resource) {
  if (std::find(claims_resources.begin(), claims_resources.end(), resource) != claims_resources.end()) return;
  claims_resources.emplace_back(resource);
  for (const auto& [name, hosts] : topics) hosts->add_claims_column(resource);
}

InstanceRecord* Fleet::State::find_instance(const gantry_uuid& uuid) const {
  const auto found = instances.find(uuid);
  return found == instances.end() ? nullptr : found->get();
}

void Fleet::State::place(InstanceRecord& record) {
  if (!record.placed()) return;
  auto& compute = topic(compute_topic);
  compute.add_resident(compute.entry(view_of(record.host)), record);
}

void Fleet::State::displace(InstanceRecord& record) {
  if (!record.placed()) return;
  auto& compute = topic(compute_topic);
  auto& host = compute.entry(view_of(record.host));
  compute.remove_resident(host, record);
  compute.forget_if_empty(host);
}

const RowState* Fleet::State::locate(const gantry_uuid& instance) const {
  if (const auto* record = find_instance(instance); record != nullptr && record->placed()) {
    const auto* host = find_host(compute_topic, view_of(record->host));
    const auto* row = host ? host->resolve(view_of(record->node)) : nullptr;
    if (row != nullptr) return row;
  }
  if (const auto* row = find_topic(compute_topic)->listed_on(instance)) return row;
  const auto found = claims.find(to_text(instance));
  if (found == claims.end()) return nullptr;
  const ClaimRecord* newest_claim = nullptr;
  for (const auto& claim : found->second) {
    if (claim->row == nullptr || claim->topic->topic() != compute_topic) continue;
    if (newest_claim == nullptr || claim->sequence > newest_claim->sequence) newest_claim = claim.get();
  }
  return newest_claim ? newest_claim->row : nullptr;
}

void Fleet::State::join(std::int64_t aggregate, const std::string& host_name) {
  auto& compute = topic(compute_topic);
  auto& host = compute.entry(host_name);
  const auto at = std::lower_bound(host.aggregates.begin(), host.aggregates.end(), aggregate);
  if (at != host.aggregates.end() && *at == aggregate) return;
  host.aggregates.insert(at, aggregate);
  compute.show_zone(host);
}

void Fleet::State::leave(std::int64_t aggregate, const std::string& host_name) {
  auto& compute = topic(compute_topic);
  auto* host = compute.find(host_name);
  if (host == nullptr || std::erase(host->aggregates, aggregate) == 0) return;
  compute.show_zone(*host);
  compute.forget_if_empty(*host);
}

}  // namespace gantry::fleet
