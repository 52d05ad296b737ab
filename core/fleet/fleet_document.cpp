// SPDX-License-Identifier: Apache-2.0
//
// The whole fleet of one instant, for writing it down.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

namespace {

struct PackedHost {
  DocumentHost shown;  // without what is packed
  std::optional<PackedRecord> record;
  TextPointer capabilities;
  Nanoseconds capabilities_updated_at = 0;
  std::vector<InstanceRecord> instances;
  std::vector<std::pair<std::uint64_t, Claim>> claims;  // with their sequence
};

// Entries by topic, host and node: first those with a row, in the order of the rows, then the others, sorted.
class PackedHosts {
 public:
  explicit PackedHosts(const FleetSettings& settings) : settings_(settings) {}

  PackedHost& entry(std::string_view topic, std::string_view host, std::string_view node) {
    const auto [found, is_new] =
        positions_.try_emplace(std::tuple(std::string(topic), std::string(host), std::string(node)), hosts_.size());
    if (is_new) {
      auto& made = hosts_.emplace_back();
      made.shown.topic = topic;
      made.shown.host = host;
      made.shown.node = node;
    }
    return hosts_[found->second];
  }
  // What belongs to the host as such stands in its first entry.
  void take(const TopicHosts& topic, const RowState& row) {
    auto& made = entry(topic.topic(), row.host->host, row.node);
    with_row_ = hosts_.size();
    if (row.reported) made.record = topic.packed_record(row);
    if (!seen_.insert({topic.topic(), row.host->host}).second) return;
    if (row.host->service) {
      made.shown.service = *row.host->service;
      if (row.host->heard_at != 0) made.shown.service->last_seen_up = settings_.unsteady(row.host->heard_at);
    }
    made.capabilities = row.host->capabilities;
    made.capabilities_updated_at = row.host->capabilities_updated_at;
  }
  std::vector<PackedHost> finish() && {
    std::sort(hosts_.begin() + static_cast<std::ptrdiff_t>(with_row_), hosts_.end(),
              [](const PackedHost& a, const PackedHost& b) {
                return std::tie(a.shown.topic, a.shown.host, a.shown.node) <
                       std::tie(b.shown.topic, b.shown.host, b.shown.node);
              });
    return std::move(hosts_);
  }

 private:
  const FleetSettings& settings_;
  std::vector<PackedHost> hosts_;
  std::size_t with_row_ = 0;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> positions_;
  std::set<std::pair<std::string, std::string>> seen_;
};

std::vector<Instance> unpacked(std::vector<InstanceRecord>& records) {
  std::sort(records.begin(), records.end(),
            [](const InstanceRecord& a, const InstanceRecord& b) { return UuidLess()(a.uuid, b.uuid); });
  std::vector<Instance> instances;
  instances.reserve(records.size());
  for (const auto& record : records) instances.push_back(unpack(record));
  return instances;
}

DocumentHost unpacked(PackedHost& packed) {
  auto host = std::move(packed.shown);
  if (packed.record)
    host.compute_node = ComputeNode{
        host.topic, host.host, host.node, packed.record->stats(), packed.record->sampled_at, packed.record->updated_at};
  if (packed.capabilities)
    host.capabilities =
        Capabilities{host.topic, host.host, parsed_object(packed.capabilities->view()), packed.capabilities_updated_at};
  host.instances = unpacked(packed.instances);
  std::sort(packed.claims.begin(), packed.claims.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.created_at, a.first) < std::tie(b.second.created_at, b.first);
  });
  host.claims.reserve(packed.claims.size());
  for (auto& [sequence, claim] : packed.claims) host.claims.push_back(std::move(claim));
  return host;
}

}  // namespace

Document Fleet::document(Nanoseconds now) {
  Document document;
  document.now = state_->settings.unsteady(now);
  PackedHosts entries(state_->settings);
  std::vector<InstanceRecord> nowhere;
  std::vector<std::shared_ptr<const Aggregate>> aggregates;
  {
    const std::lock_guard lock(state_->mutex);
    state_->advance(now);
    for (const auto& [name, topic] : state_->topics)
      for (const auto* row : topic->table().rows()) entries.take(*topic, *row);
    for (const auto& record : state_->instances) {
      const auto host = view_of(record->host);
      (host.empty() ? nowhere : entries.entry(compute_topic, host, view_of(record->node)).instances).push_back(*record);
    }
    state_->claims.each([&](const ClaimRecord& record) {
      auto claim = record.claim;
      claim.created_at = state_->settings.unsteady(record.ages_from);
      entries.entry(claim.topic, claim.host, claim.node).claims.emplace_back(record.sequence, claim);
    });
    for (const auto& [id, aggregate] : state_->aggregates) aggregates.push_back(aggregate);
    for (const auto& [uuid, group] : state_->groups) document.groups.push_back(group.record);
  }
  auto packed = std::move(entries).finish();
  document.hosts.reserve(packed.size());
  for (auto& host : packed) document.hosts.push_back(unpacked(host));
  document.instances = unpacked(nowhere);
  for (const auto& aggregate : aggregates) document.aggregates.push_back(*aggregate);
  return document;
}

}  // namespace gantry::fleet
