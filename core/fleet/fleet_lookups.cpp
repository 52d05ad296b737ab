// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <tuple>

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/fleet_state.hpp"
#include "core/fleet/records/later_by.hpp"

namespace gantry::fleet {

std::optional<Service> Fleet::service(std::string_view topic, std::string_view host_name) const {
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(topic, host_name);
  if (host == nullptr || !host->service) return std::nullopt;
  return *host->service;
}

std::vector<Service> Fleet::services() const {
  std::vector<Service> services;
  {
    const std::lock_guard lock(state_->mutex);
    for (const auto& [name, hosts] : state_->topics) {
      hosts->each([&](const HostEntry& host) {
        if (host.service) services.push_back(*host.service);
      });
    }
  }
  std::sort(services.begin(), services.end(),
            [](const Service& a, const Service& b) { return std::tie(a.topic, a.host) < std::tie(b.topic, b.host); });
  return services;
}

bool Fleet::is_up(const Service& service, Nanoseconds now) const {
  if (service.forced_down || service.last_seen_up == 0) return false;
  auto heard_at = state_->settings.steady(service.last_seen_up);
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(service.topic, service.host);
  if (host != nullptr && host->service && host->service->last_seen_up == service.last_seen_up)
    heard_at = host->heard_at;
  if (host != nullptr && state_->topics.find(service.topic)->is_outdated(*host)) return false;
  const auto down_time = state_->settings.service_down_time;
  return FreshTimes{later_by(now, -down_time), later_by(now, down_time)}.holds(heard_at);
}

Nanoseconds Fleet::service_down_time() const {
  return state_->settings.service_down_time;
}

std::string Fleet::default_availability_zone() const {
  const std::lock_guard lock(state_->mutex);
  return state_->settings.default_availability_zone;
}

std::optional<ComputeNode> Fleet::compute_node(std::string_view topic, std::string_view host,
                                               std::string_view node) const {
  const std::lock_guard lock(state_->mutex);
  const auto* hosts = state_->topics.find(topic);
  const auto* row = hosts ? hosts->find_record(host, node) : nullptr;
  if (row == nullptr) return std::nullopt;
  return hosts->record(*row);
}

Nanoseconds Fleet::sampled_at(std::string_view topic, std::string_view host, std::string_view node) const {
  const std::lock_guard lock(state_->mutex);
  const auto* hosts = state_->topics.find(topic);
  const auto* row = hosts ? hosts->find_record(host, node) : nullptr;
  return row == nullptr ? 0 : row->sampled_at;
}

std::optional<Capabilities> Fleet::capabilities(std::string_view topic, std::string_view host_name) const {
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(topic, host_name);
  if (host == nullptr || !host->capabilities) return std::nullopt;
  return Capabilities{std::string(topic), host->host, parsed_object(host->capabilities->view()),
                      host->capabilities_updated_at};
}

std::optional<Aggregate> Fleet::aggregate(std::int64_t id) const {
  std::shared_ptr<const Aggregate> aggregate;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->aggregates.find(id);
    if (found != state_->aggregates.end()) aggregate = found->second;
  }
  if (aggregate == nullptr) return std::nullopt;
  return *aggregate;
}

std::vector<Aggregate> Fleet::aggregates() const {
  std::vector<std::shared_ptr<const Aggregate>> found;
  {
    const std::lock_guard lock(state_->mutex);
    found.reserve(state_->aggregates.size());
    for (const auto& [id, aggregate] : state_->aggregates) found.push_back(aggregate);
  }
  std::vector<Aggregate> aggregates;
  aggregates.reserve(found.size());
  for (const auto& aggregate : found) aggregates.push_back(*aggregate);
  return aggregates;
}

std::vector<std::int64_t> Fleet::aggregate_ids(std::string_view name_or_uuid) const {
  const std::lock_guard lock(state_->mutex);
  const auto& names = state_->aggregate_names;
  std::vector<std::int64_t> ids;
  const std::string name(name_or_uuid);
  for (auto at = names.lower_bound({name, std::numeric_limits<std::int64_t>::min()});
       at != names.end() && at->first == name; ++at)
    ids.push_back(at->second);
  return ids;
}

std::vector<std::int64_t> Fleet::aggregates_of(std::string_view host_name) const {
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(compute_topic, host_name);
  return host == nullptr ? std::vector<std::int64_t>() : host->aggregates;
}

std::vector<HostZone> Fleet::zones_of(std::string_view host_name) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<HostZone> zones;
  const auto* host = state_->topics.find_host(compute_topic, host_name);
  if (host == nullptr) return zones;
  for (const auto id : host->zoned) {
    const auto& aggregate = *state_->aggregates.at(id);
    zones.push_back({id, aggregate.name, std::string(zone_in(aggregate))});
  }
  return zones;
}

std::size_t Fleet::instances_on(std::string_view host_name) const {
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(compute_topic, host_name);
  return host == nullptr ? 0 : host->residents.size();
}

std::optional<Instance> Fleet::instance(std::string_view text) const {
  const auto uuid = parse_uuid(text);
  if (!uuid) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  const auto* record = state_->find_instance(*uuid);
  if (record == nullptr) return std::nullopt;
  return unpack(*record);
}

std::vector<std::string> Fleet::listed_on(std::string_view text) const {
  const auto uuid = parse_uuid(text);
  if (!uuid) return {};
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> hosts;
  for (const auto* row : state_->topics.find(compute_topic)->rows_listing(*uuid)) hosts.push_back(row->host->host);
  return hosts;
}

namespace {

bool fits(const InstanceQuery& query, const InstanceRecord& record) {
  const auto is = [](const std::optional<std::string>& wanted, const TextPointer& text) {
    return !wanted || *wanted == view_of(text);
  };
  return is(query.name, record.name) && is(query.host, record.host) && is(query.project_id, record.project_id) &&
         is(query.vm_state, record.vm_state);
}

bool made_before(const InstanceRecord& a, const InstanceRecord& b) {
  if (a.created_at != b.created_at) return a.created_at < b.created_at;
  if (a.launch_index != b.launch_index) return a.launch_index < b.launch_index;
  return UuidLess()(a.uuid, b.uuid);
}

std::vector<Instance> unpacked_copies(const std::vector<InstanceRecord>& records) {
  std::vector<Instance> instances;
  instances.reserve(records.size());
  for (const auto& record : records) instances.push_back(unpack(record));
  return instances;
}

}  // namespace

std::vector<Instance> Fleet::instances(const InstanceQuery& query) const {
  // Unpacking parses; decisions need not wait for that.
  std::vector<InstanceRecord> records;
  {
    const std::lock_guard lock(state_->mutex);
    for (const auto& record : state_->instances) {
      if (fits(query, *record)) records.push_back(*record);
    }
  }
  std::sort(records.begin(), records.end(),
            [](const InstanceRecord& a, const InstanceRecord& b) { return UuidLess()(a.uuid, b.uuid); });
  return unpacked_copies(records);
}

std::optional<std::vector<Instance>> Fleet::instance_page(const InstanceQuery& query,
                                                          const std::optional<std::string>& after,
                                                          std::size_t limit) const {
  const auto uuid = after ? parse_uuid(*after) : std::nullopt;
  std::vector<InstanceRecord> records;
  {
    const std::lock_guard lock(state_->mutex);
    const auto* marker = uuid ? state_->find_instance(*uuid) : nullptr;
    if (after && marker == nullptr) return std::nullopt;
    std::vector<const InstanceRecord*> found;
    for (const auto& record : state_->instances) {
      if (fits(query, *record) && (marker == nullptr || made_before(*marker, *record))) found.push_back(record.get());
    }
    const auto count = limit == 0 ? found.size() : std::min(limit, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(),
                      [](const InstanceRecord* a, const InstanceRecord* b) { return made_before(*a, *b); });
    records.reserve(count);
    for (std::size_t at = 0; at < count; ++at) records.push_back(*found[at]);
  }
  return unpacked_copies(records);
}

std::map<std::string, std::size_t> Fleet::instance_counts() const {
  const std::lock_guard lock(state_->mutex);
  return {state_->instances_by_state.begin(), state_->instances_by_state.end()};
}

std::size_t Fleet::claim_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->claims.size();
}

std::vector<Claim> Fleet::claims() const {
  std::vector<Claim> claims;
  {
    const std::lock_guard lock(state_->mutex);
    state_->claims.each([&claims](const ClaimRecord& record) { claims.push_back(record.claim); });
  }
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return std::tie(a.consumer, a.topic, a.host, a.node, a.id) < std::tie(b.consumer, b.topic, b.host, b.node, b.id);
  });
  return claims;
}

}  // namespace gantry::fleet
