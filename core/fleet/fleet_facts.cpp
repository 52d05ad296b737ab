// SPDX-License-Identifier: Apache-2.0
//
// Services, capabilities, aggregates and instances coming in.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

namespace {

Capabilities capabilities_of(const TopicHosts& hosts, const HostEntry& host) {
  return {hosts.topic(), host.host, parsed_object(host.capabilities->view()), host.capabilities_updated_at};
}

bool shown_alike(const Aggregate& a, const Aggregate& b) {
  return a.uuid == b.uuid && a.name == b.name && a.metadata == b.metadata;
}

}  // namespace

std::optional<Service> Fleet::put_service(const Service& service) {
  const std::lock_guard lock(state_->mutex);
  auto& hosts = state_->topics.topic(service.topic);
  auto& host = hosts.entry(service.host);
  state_->forget_heartbeat(hosts, host);
  std::optional<Service> before;
  if (host.service) before = std::move(*host.service);
  if (!before || before->last_seen_up != service.last_seen_up)
    host.heard_at = service.last_seen_up == 0 ? 0 : state_->settings.steady(service.last_seen_up);
  state_->note_heartbeat(hosts, host);
  hosts.set_service(host, std::make_unique<Service>(service));
  return before;
}

std::optional<Service> Fleet::remove_service(std::string_view topic, std::string_view host_name) {
  const std::lock_guard lock(state_->mutex);
  auto* host = state_->topics.find_host(topic, host_name);
  if (host == nullptr || !host->service) return std::nullopt;
  auto& hosts = state_->topics.topic(topic);
  state_->forget_heartbeat(hosts, *host);
  std::optional<Service> before = std::move(*host->service);
  host->heard_at = 0;
  hosts.set_service(*host, nullptr);
  hosts.forget_if_empty(*host);
  return before;
}

std::optional<Capabilities> Fleet::put_capabilities(const Capabilities& capabilities) {
  const std::lock_guard lock(state_->mutex);
  auto& hosts = state_->topics.topic(capabilities.topic);
  auto& host = hosts.entry(capabilities.host);
  std::optional<Capabilities> before;
  if (host.capabilities) before = capabilities_of(hosts, host);
  auto text = state_->texts.intern(json::write_canonical(capabilities.capabilities));
  hosts.set_capabilities(host, std::move(text), capabilities.updated_at);
  return before;
}

std::optional<Capabilities> Fleet::remove_capabilities(std::string_view topic, std::string_view host_name) {
  const std::lock_guard lock(state_->mutex);
  auto* host = state_->topics.find_host(topic, host_name);
  if (host == nullptr || !host->capabilities) return std::nullopt;
  auto& hosts = state_->topics.topic(topic);
  std::optional<Capabilities> before = capabilities_of(hosts, *host);
  hosts.set_capabilities(*host, nullptr, 0);
  hosts.forget_if_empty(*host);
  return before;
}

std::optional<Aggregate> Fleet::put_aggregate(const Aggregate& aggregate) {
  static const Aggregate none;
  auto record = std::make_shared<const Aggregate>(aggregate);
  const std::lock_guard lock(state_->mutex);
  auto& state = *state_;
  const auto replaced = std::exchange(state.aggregates[aggregate.id], std::move(record));
  const auto& before = replaced ? *replaced : none;
  if (!replaced || !shown_alike(before, aggregate)) {
    state.topics.topic(compute_topic).table().put_aggregate(aggregate);
    if (replaced) state.unname(before);
    state.name(aggregate);
  }
  // Most changes add hosts at the end.
  const auto [left, come] =
      std::mismatch(before.hosts.begin(), before.hosts.end(), aggregate.hosts.begin(), aggregate.hosts.end());
  if (left != before.hosts.end()) {
    const std::unordered_set<std::string_view> wanted(aggregate.hosts.begin(), aggregate.hosts.end());
    std::for_each(left, before.hosts.end(), [&](const std::string& host) {
      if (!wanted.contains(host)) state.leave(aggregate.id, host);
    });
  }
  if (replaced && zone_in(before) != zone_in(aggregate))
    for (const auto& host : aggregate.hosts) state.change_zone(aggregate, host);
  std::for_each(come, aggregate.hosts.end(), [&](const std::string& host) { state.join(aggregate, host); });
  if (!replaced) return std::nullopt;
  return before;
}

std::optional<Aggregate> Fleet::remove_aggregate(std::int64_t id) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->aggregates.find(id);
  if (found == state_->aggregates.end()) return std::nullopt;
  const auto before = std::move(found->second);
  for (const auto& host : before->hosts) state_->leave(id, host);
  state_->aggregates.erase(found);
  state_->unname(*before);
  state_->topics.topic(compute_topic).table().remove_aggregate(id);
  return *before;
}

std::optional<Instance> Fleet::put_instance(const Instance& instance) {
  const auto uuid = parse_uuid(instance.uuid);
  if (!uuid) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->find_instance(*uuid);
  std::optional<Instance> before;
  if (record != nullptr) {
    before = unpack(*record);
    state_->displace(*record);
    state_->uncount(*record);
  } else {
    auto made = std::make_unique<InstanceRecord>();
    made->uuid = *uuid;
    record = made.get();
    state_->instances.insert(std::move(made));
  }
  pack(instance, state_->texts, *record);
  state_->place(*record);
  state_->count(*record);
  return before;
}

std::optional<Instance> Fleet::remove_instance(std::string_view text) {
  const auto uuid = parse_uuid(text);
  if (!uuid) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->instances.find(*uuid);
  if (found == state_->instances.end()) return std::nullopt;
  state_->displace(**found);
  state_->uncount(**found);
  std::optional<Instance> before = unpack(**found);
  state_->instances.erase(found);
  return before;
}

}  // namespace gantry::fleet
