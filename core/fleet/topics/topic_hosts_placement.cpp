// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include "core/encoding/uuid.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

auto resident_position(std::vector<InstanceRecord*>& residents, const gantry_uuid& uuid) {
  return std::lower_bound(
      residents.begin(), residents.end(), uuid,
      [](const InstanceRecord* resident, const gantry_uuid& wanted) { return UuidLess()(resident->uuid, wanted); });
}

}  // namespace

bool TopicHosts::stands_on(const RowState& row, const gantry_uuid& instance) const {
  if (std::binary_search(row.listed.begin(), row.listed.end(), instance, UuidLess())) return true;
  if (!row.claims.of_consumer(to_text(instance)).empty()) return true;
  auto& residents = row.host->residents;
  const auto at = resident_position(residents, instance);
  if (at == residents.end() || !UuidEqual()((*at)->uuid, instance)) return false;
  return row.host->resolve(view_of((*at)->node)) == &row;
}

void TopicHosts::update_instance(RowState& row, const gantry_uuid& instance) {
  table_.placement_changed(instance);
  auto& instances = row.instances;
  const auto at = std::lower_bound(instances.begin(), instances.end(), instance, UuidLess());
  const bool listed = at != instances.end() && UuidEqual()(*at, instance);
  if (listed == stands_on(row, instance)) return;
  if (listed) {
    instances.erase(at);
  } else {
    instances.insert(at, instance);
  }
  table_.instances_changed(row);
}

void TopicHosts::add_resident(HostEntry& host, InstanceRecord& instance) {
  host.residents.insert(resident_position(host.residents, instance.uuid), &instance);
  if (auto* row = host.resolve(view_of(instance.node))) update_instance(*row, instance.uuid);
  update_images(host, instance, true);
}

void TopicHosts::remove_resident(HostEntry& host, InstanceRecord& instance) {
  const auto at = resident_position(host.residents, instance.uuid);
  assert(at != host.residents.end() && *at == &instance);
  host.residents.erase(at);
  if (auto* row = host.resolve(view_of(instance.node))) update_instance(*row, instance.uuid);
  update_images(host, instance, false);
}

void TopicHosts::attach(ClaimRecord& claim, RowState* row) {
  claim.row = row;
  if (row != nullptr) row->claims.insert(claim);
}

void TopicHosts::add_claim(HostEntry& host, ClaimRecord& claim) {
  for (const auto& item : claim.claim.items) add_claims_column(item.resource);
  claim.topic = this;
  claim.host = &host;
  host.claims.push_back(&claim);
  attach(claim, host.resolve(claim.claim.node));
  if (claim.row == nullptr) return;
  show_claims(*claim.row);
  if (claim.uuid) update_instance(*claim.row, *claim.uuid);
}

void TopicHosts::remove_claim(ClaimRecord& claim) {
  std::erase(claim.host->claims, &claim);
  auto* row = claim.row;
  if (row == nullptr) return;
  row->claims.erase(claim);
  show_claims(*row);
  if (claim.uuid) update_instance(*row, *claim.uuid);
}

void TopicHosts::place_all(HostEntry& host) {
  if (host.residents.empty() && host.claims.empty()) return;
  std::vector<std::vector<gantry_uuid>> before;
  for (const auto& row : host.rows) {
    before.push_back(std::exchange(row->instances, row->listed));
    row->claims.clear();
  }
  for (auto* claim : host.claims) {
    attach(*claim, host.resolve(claim->claim.node));
    if (claim->row != nullptr && claim->uuid) claim->row->instances.push_back(*claim->uuid);
    if (claim->uuid) table_.placement_changed(*claim->uuid);
  }
  for (const auto* resident : host.residents) {
    if (auto* row = host.resolve(view_of(resident->node))) row->instances.push_back(resident->uuid);
    table_.placement_changed(resident->uuid);
  }
  for (std::size_t at = 0; at < host.rows.size(); ++at) {
    auto& instances = host.rows[at]->instances;
    std::sort(instances.begin(), instances.end(), UuidLess());
    instances.erase(std::unique(instances.begin(), instances.end(), UuidEqual()), instances.end());
    const auto& had = before[at];
    const bool same = std::equal(instances.begin(), instances.end(), had.begin(), had.end(), UuidEqual());
    if (!same) table_.instances_changed(*host.rows[at]);
    show_claims(*host.rows[at]);
  }
}

}  // namespace gantry::fleet
