// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/encoding/uuid.hpp"
#include "core/fleet/fleet_state.hpp"

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

bool has_room(const RowState& row, const Claim& claim, std::string_view consumer) {
  for (const auto& item : claim.items) {
    if (!std::isfinite(item.amount) || item.amount < 0) return false;
    if (std::isnan(item.limit)) continue;
    double total = reported_use(row, item.resource) + TopicHosts::claimed(row, item.resource, consumer);
    for (const auto& other : claim.items) {
      if (other.resource == item.resource) total += other.amount;
    }
    if (total > item.limit) return false;
  }
  return true;
}

bool names(const Claim& claim, std::string_view topic, std::string_view host, std::string_view node) {
  return claim.topic == topic && claim.host == host && claim.node == node;
}

}  // namespace

std::string consumer_key(std::string_view consumer) {
  const auto uuid = parse_uuid(consumer);
  return uuid ? to_text(*uuid) : std::string(consumer);
}

ClaimRecord& Fleet::State::add_claim(const Claim& claim) {
  auto made = std::make_unique<ClaimRecord>();
  auto& record = *made;
  record.claim = claim;
  record.consumer_key = consumer_key(claim.consumer);
  record.uuid = parse_uuid(claim.consumer);
  record.sequence = ++claims_made;
  claims[record.consumer_key].push_back(std::move(made));
  // One that stood there before has been replaced, and not only ended.
  std::erase_if(ended_unseen, [&](const Claim& ended) {
    return ended.consumer == claim.consumer && names(ended, claim.topic, claim.host, claim.node);
  });
  auto& hosts = topic(claim.topic);
  hosts.add_claim(hosts.entry(claim.host), record);
  age(record);
  return record;
}

Claim Fleet::State::remove_claim(ClaimRecord& record) {
  aging.erase({record.claim.created_at, record.sequence, &record});
  const auto found = claims.find(record.consumer_key);
  assert(found != claims.end());
  auto& of_consumer = found->second;
  const auto at = std::find_if(of_consumer.begin(), of_consumer.end(),
                               [&](const auto& candidate) { return candidate.get() == &record; });
  const auto kept = std::move(*at);
  of_consumer.erase(at);
  if (of_consumer.empty()) claims.erase(found);
  auto& host = *kept->host;
  kept->topic->remove_claim(*kept);
  kept->topic->forget_if_empty(host);
  return std::move(kept->claim);
}

ClaimRecord* Fleet::State::find_claim(std::string_view consumer, std::string_view topic_name, std::string_view host,
                                      std::string_view node) const {
  const auto found = claims.find(consumer_key(consumer));
  if (found == claims.end()) return nullptr;
  for (const auto& record : found->second) {
    if (names(record->claim, topic_name, host, node)) return record.get();
  }
  return nullptr;
}

ClaimOutcome Fleet::claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim& claim,
                          std::optional<Claim>* replaced) {
  const auto* copy = moment.state_ ? moment.state_->find(view) : nullptr;
  if (copy == nullptr || row >= view.rows) return ClaimOutcome::no_such_row;
  const std::lock_guard lock(state_->mutex);
  auto* hosts = state_->find_topic(copy->topic());
  const auto* live = hosts ? hosts->table().find(copy->entity(row)) : nullptr;
  if (live == nullptr) return ClaimOutcome::no_such_row;
  const auto key = consumer_key(claim.consumer);
  if (!has_room(*live, claim, key)) return ClaimOutcome::lost;
  claim.topic = copy->topic();
  claim.host = live->host->host;
  claim.node = live->node;
  const auto same = std::find_if(live->claims.begin(), live->claims.end(),
                                 [&](const ClaimRecord* candidate) { return candidate->consumer_key == key; });
  if (same != live->claims.end()) {
    auto before = state_->remove_claim(**same);
    claim.durable = claim.durable || before.durable;
    claim.cast_waits = claim.cast_waits || before.cast_waits;
    // Made before the host had reported its node: the store knows it by another key.
    if (before.node != claim.node || before.consumer != claim.consumer) {
      state_->ended_unseen.push_back(before);
    }
    if (replaced != nullptr) *replaced = std::move(before);
  }
  state_->add_claim(claim);
  return ClaimOutcome::held;
}

void Fleet::give_back(const Claim& claim, const std::optional<Claim>& replaced) {
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->find_claim(claim.consumer, claim.topic, claim.host, claim.node);
  if (record == nullptr) return;
  const auto now = state_->remove_claim(*record);
  if (!replaced) return;
  auto before = *replaced;
  if (before.cast_waits && !now.cast_waits) {  // its cast was acknowledged meanwhile
    before.cast_waits = false;
    before.created_at = now.created_at;
  }
  state_->add_claim(before);
}

void Fleet::restore_claim(const Claim& claim) {
  const std::lock_guard lock(state_->mutex);
  auto* same = state_->find_claim(claim.consumer, claim.topic, claim.host, claim.node);
  if (same != nullptr) state_->remove_claim(*same);
  state_->add_claim(claim);
}

std::optional<Claim> Fleet::release(std::string_view consumer, std::string_view topic, std::string_view host,
                                    std::string_view node) {
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->find_claim(consumer, topic, host, node);
  if (record == nullptr) return std::nullopt;
  return state_->remove_claim(*record);
}

std::vector<Claim> Fleet::release_all(std::string_view consumer, const Claim* kept) {
  const std::lock_guard lock(state_->mutex);
  std::vector<ClaimRecord*> ending;
  const auto found = state_->claims.find(consumer_key(consumer));
  if (found == state_->claims.end()) return {};
  for (const auto& record : found->second) {
    if (kept == nullptr || !names(record->claim, kept->topic, kept->host, kept->node)) ending.push_back(record.get());
  }
  std::vector<Claim> released;
  released.reserve(ending.size());
  for (auto* record : ending) released.push_back(state_->remove_claim(*record));
  return released;
}

}  // namespace gantry::fleet
