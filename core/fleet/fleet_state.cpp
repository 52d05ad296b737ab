// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet_state.hpp"

#include <algorithm>
#include <limits>

#include "core/encoding/uuid.hpp"

namespace gantry::fleet {

Fleet::State::State(FleetSettings its_settings)
    : settings(std::move(its_settings)),
      clock(std::numeric_limits<Nanoseconds>::min()),
      fresh{std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()},
      next_heartbeat_event(std::numeric_limits<Nanoseconds>::min()),
      topics({&settings, &texts, &aggregates, &fresh, &facts_since}),
      claims(mutex, settings, topics) {}

InstanceRecord* Fleet::State::find_instance(const gantry_uuid& uuid) const {
  const auto found = instances.find(uuid);
  return found == instances.end() ? nullptr : found->get();
}

void Fleet::State::count(const InstanceRecord& record) {
  ++instances_by_state[std::string(view_of(record.vm_state))];
}

void Fleet::State::uncount(const InstanceRecord& record) {
  const auto found = instances_by_state.find(view_of(record.vm_state));
  if (found != instances_by_state.end() && --found->second == 0) instances_by_state.erase(found);
}

void Fleet::State::place(InstanceRecord& record) {
  if (!record.placed()) return;
  auto& compute = topics.topic(compute_topic);
  compute.add_resident(compute.entry(view_of(record.host)), record);
}

void Fleet::State::displace(InstanceRecord& record) {
  if (!record.placed()) return;
  auto& compute = topics.topic(compute_topic);
  auto& host = compute.entry(view_of(record.host));
  compute.remove_resident(host, record);
  compute.forget_if_empty(host);
}

const RowState* Fleet::State::locate(const gantry_uuid& instance) const {
  if (const auto* record = find_instance(instance); record != nullptr && record->placed()) {
    const auto* host = topics.find_host(compute_topic, view_of(record->host));
    const auto* row = host ? host->resolve(view_of(record->node)) : nullptr;
    if (row != nullptr) return row;
  }
  if (const auto* row = topics.find(compute_topic)->listed_on(instance)) return row;
  return claims.row_of(instance);
}

namespace {

void insert_sorted(std::vector<std::int64_t>& ids, std::int64_t id) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) ids.insert(at, id);
}

bool erase_sorted(std::vector<std::int64_t>& ids, std::int64_t id) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) return false;
  ids.erase(at);
  return true;
}

}  // namespace

void Fleet::State::join(const Aggregate& aggregate, const std::string& host_name) {
  auto& compute = topics.topic(compute_topic);
  auto& host = compute.entry(host_name);
  if (std::binary_search(host.aggregates.begin(), host.aggregates.end(), aggregate.id)) return;
  insert_sorted(host.aggregates, aggregate.id);
  if (!zone_in(aggregate).empty()) insert_sorted(host.zoned, aggregate.id);
  compute.show_aggregates(host);
}

void Fleet::State::leave(std::int64_t aggregate, const std::string& host_name) {
  auto& compute = topics.topic(compute_topic);
  auto* host = compute.find(host_name);
  if (host == nullptr || !erase_sorted(host->aggregates, aggregate)) return;
  erase_sorted(host->zoned, aggregate);
  compute.show_aggregates(*host);
  compute.forget_if_empty(*host);
}

void Fleet::State::change_zone(const Aggregate& aggregate, const std::string& host_name) {
  auto& compute = topics.topic(compute_topic);
  auto* host = compute.find(host_name);
  if (host == nullptr || !std::binary_search(host->aggregates.begin(), host->aggregates.end(), aggregate.id)) return;
  erase_sorted(host->zoned, aggregate.id);
  if (!zone_in(aggregate).empty()) insert_sorted(host->zoned, aggregate.id);
  compute.show_zone(*host);
}

void Fleet::State::name(const Aggregate& aggregate) {
  for (const auto& text : {aggregate.name, aggregate.uuid})
    if (!text.empty()) aggregate_names.emplace(text, aggregate.id);
}

void Fleet::State::unname(const Aggregate& aggregate) {
  for (const auto& text : {aggregate.name, aggregate.uuid}) aggregate_names.erase({text, aggregate.id});
}

}  // namespace gantry::fleet
