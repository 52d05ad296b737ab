// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cassert>
#include <cmath>
#include <iterator>

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

using Amounts = boost::unordered_flat_map<std::string_view, double>;

// Of a few resources it is quicker to look through the claims for each one.
constexpr std::size_t few_items = 8;

void add(const Claim& claim, Amounts& amounts) {
  for (const auto& item : claim.items) amounts[item.resource] += item.amount;
}

bool has_room_for_many(const RowState& row, const Claim& claim, std::string_view consumer) {
  Amounts held;
  for (const auto* other : row.claims) {
    if (consumer.empty() || other->consumer_key != consumer) add(other->claim, held);
  }
  Amounts wanted;
  add(claim, wanted);
  return std::all_of(claim.items.begin(), claim.items.end(), [&](const ClaimItem& item) {
    if (!std::isfinite(item.amount) || item.amount < 0) return false;
    const double used = reported_use(row, item.resource) + held[item.resource];
    return std::isnan(item.limit) || used + wanted[item.resource] <= item.limit;
  });
}

bool has_room(const RowState& row, const Claim& claim, std::string_view consumer) {
  if (claim.items.size() > few_items) return has_room_for_many(row, claim, consumer);
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

bool has_limit_of_a_named_resource(const Claim& claim) {
  return std::any_of(claim.items.begin(), claim.items.end(), [](const ClaimItem& item) {
    return !std::isnan(item.limit) &&
           std::find(used_resources.begin(), used_resources.end(), item.resource) == used_resources.end();
  });
}

// What there is of a named resource was read in the row's documents. A report since then may have ended claims and shows
// their part as used, so that claims alone no longer tell what is left.
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

bool names(const Claim& claim, std::string_view topic, std::string_view host, std::string_view node) {
  return claim.topic == topic && claim.host == host && claim.node == node;
}

bool is_of_same_key(const Claim& a, const Claim& b) {
  return a.consumer == b.consumer && names(a, b.topic, b.host, b.node);
}

std::vector<Claim>::iterator find_serial(std::vector<Claim>& claims, std::uint64_t serial) {
  return std::find_if(claims.begin(), claims.end(), [serial](const Claim& claim) { return claim.serial == serial; });
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
  if (record.claim.serial == 0) record.claim.serial = ++last_serial;
  record.consumer_key = consumer_key(claim.consumer);
  record.uuid = parse_uuid(claim.consumer);
  record.sequence = ++claims_made;
  claims[record.consumer_key].push_back(std::move(made));
  // One that stood there before has been replaced, and not only ended.
  std::erase_if(ended_unseen, [&](const Claim& ended) { return is_of_same_key(ended, claim); });
  auto& hosts = topic(claim.topic);
  hosts.add_claim(hosts.entry(claim.host), record);
  age(record);
  return record;
}

ClaimRecord& Fleet::State::add_claim(const Claim& claim, std::vector<Claim> beneath) {
  auto& record = add_claim(claim);
  record.beneath = std::move(beneath);
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

ClaimRecord* Fleet::State::holder_of(const Claim& claim) const {
  const auto found = claims.find(consumer_key(claim.consumer));
  if (found == claims.end()) return nullptr;
  for (const auto& record : found->second) {
    if (record->claim.serial == claim.serial || find_serial(record->beneath, claim.serial) != record->beneath.end())
      return record.get();
  }
  return nullptr;
}

bool Fleet::State::keeps(const GroupBound& bound, const HostEntry& host, std::string_view consumer) const {
  if (bound.most_on_a_host == 0 && !bound.together) return true;
  const auto known = groups.find(bound.group);
  const std::span<const std::string> members = known == groups.end() ? bound.members : known->second.members;
  std::uint32_t here = 0;
  std::uint32_t elsewhere = 0;
  for (const auto& member : members) {
    const auto uuid = parse_uuid(member);
    if (!uuid || to_text(*uuid) == consumer) continue;
    if (const auto* row = locate(*uuid)) ++(row->host == &host ? here : elsewhere);
  }
  if (bound.most_on_a_host != 0 && here >= bound.most_on_a_host) return false;
  return !bound.together || here != 0 || elsewhere == 0;
}

ClaimOutcome Fleet::claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim& claim,
                          const GroupBound& bound) {
  const auto* copy = moment.state_ ? moment.state_->find(view) : nullptr;
  if (copy == nullptr || row >= view.rows) return ClaimOutcome::no_such_row;
  const std::lock_guard lock(state_->mutex);
  auto* hosts = state_->find_topic(copy->topic());
  const auto* live = hosts ? hosts->table().find(copy->entity(row)) : nullptr;
  if (live == nullptr) return ClaimOutcome::no_such_row;
  const auto key = consumer_key(claim.consumer);
  if (!has_room(*live, claim, key) || !state_->keeps(bound, *live->host, key)) return ClaimOutcome::lost;
  if (has_limit_of_a_named_resource(claim) && !shows_documents(hosts->table(), *live, view, row))
    return ClaimOutcome::lost;
  claim.topic = copy->topic();
  claim.host = live->host->host;
  claim.node = live->node;
  claim.serial = ++state_->last_serial;
  std::vector<Claim> beneath;
  const auto same = std::find_if(live->claims.begin(), live->claims.end(),
                                 [&](const ClaimRecord* candidate) { return candidate->consumer_key == key; });
  if (same != live->claims.end()) {
    beneath = std::move((*same)->beneath);
    beneath.push_back(state_->remove_claim(**same));
    claim.durable = claim.durable || beneath.back().durable;
    claim.cast_waits = claim.cast_waits || beneath.back().cast_waits;
  }
  state_->add_claim(claim, std::move(beneath));
  return ClaimOutcome::held;
}

bool Fleet::confirm_claim(Claim& claim, std::vector<Claim>& replaced) {
  constexpr std::size_t most_beneath = 4;  // whose commits may still be under way
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->find_claim(claim.consumer, claim.topic, claim.host, claim.node);
  if (record == nullptr || record->claim.serial != claim.serial) return false;
  if (record->row != nullptr && !has_room(*record->row, claim, record->consumer_key)) return false;
  claim.serial = ++state_->last_serial;
  auto& beneath = record->beneath;
  if (beneath.size() > most_beneath) beneath.erase(beneath.begin(), beneath.end() - most_beneath);
  std::copy_if(beneath.begin(), beneath.end(), std::back_inserter(replaced),
               [&claim](const Claim& before) { return !is_of_same_key(before, claim); });
  state_->change_claim(*record, claim);
  return true;
}

void Fleet::State::change_claim(ClaimRecord& record, const Claim& claim) {
  aging.erase({record.claim.created_at, record.sequence, &record});
  record.claim.durable = claim.durable;
  record.claim.cast_waits = claim.cast_waits;
  record.claim.created_at = claim.created_at;
  record.claim.serial = claim.serial;
  record.claim.ending = false;
  age(record);
}

void Fleet::give_back(const Claim& claim) {
  constexpr std::size_t most_given_back = 4096;
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->holder_of(claim);
  if (record == nullptr) {
    auto& ended = state_->given_back;
    ended.insert(claim.serial);
    if (ended.size() > most_given_back) ended.erase(ended.begin());
    return;
  }
  auto beneath = std::move(record->beneath);
  if (record->claim.serial != claim.serial) {
    beneath.erase(find_serial(beneath, claim.serial));
    record->beneath = std::move(beneath);
    return;
  }
  state_->remove_claim(*record);
  if (beneath.empty()) return;
  const auto before = std::move(beneath.back());
  beneath.pop_back();
  state_->add_claim(before, std::move(beneath));
}

void Fleet::restore_claim(const Claim& claim) {
  const std::lock_guard lock(state_->mutex);
  if (state_->given_back.contains(claim.serial)) return;
  auto* same = state_->find_claim(claim.consumer, claim.topic, claim.host, claim.node);
  if (claim.serial == 0) {
    if (same != nullptr) state_->remove_claim(*same);
    state_->add_claim(claim);
    return;
  }
  if (auto* holder = state_->holder_of(claim)) {
    if (holder->claim.serial == claim.serial) return state_->change_claim(*holder, claim);
    *find_serial(holder->beneath, claim.serial) = claim;
    return;
  }
  if (same == nullptr || same->claim.serial < claim.serial) {
    if (same != nullptr) state_->remove_claim(*same);
    state_->add_claim(claim);
    return;
  }
  // Another was made there since, by a decision that does not know what it would have replaced.
  auto& beneath = same->beneath;
  const auto older = [](const Claim& a, const Claim& b) { return a.serial < b.serial; };
  beneath.insert(std::upper_bound(beneath.begin(), beneath.end(), claim, older), claim);
}

std::optional<Claim> Fleet::release(std::string_view consumer, std::string_view topic, std::string_view host,
                                    std::string_view node) {
  const std::lock_guard lock(state_->mutex);
  auto* record = state_->find_claim(consumer, topic, host, node);
  if (record == nullptr) return std::nullopt;
  return state_->remove_claim(*record);
}

std::vector<Claim> Fleet::release_all(std::string_view consumer) {
  auto released = claims_of(consumer);
  release(released);
  return released;
}

std::vector<Claim> Fleet::claims_of(std::string_view consumer, const Claim* kept) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Claim> found;
  const auto records = state_->claims.find(consumer_key(consumer));
  if (records == state_->claims.end()) return found;
  for (const auto& record : records->second) {
    if (kept != nullptr && names(record->claim, kept->topic, kept->host, kept->node)) continue;
    found.push_back(record->claim);
    std::copy_if(record->beneath.begin(), record->beneath.end(), std::back_inserter(found),
                 [&](const Claim& replaced) { return !is_of_same_key(replaced, record->claim); });
  }
  return found;
}

std::vector<Claim> Fleet::begin_release(std::string_view consumer, const Claim* kept) {
  auto found = claims_of(consumer, kept);
  const std::lock_guard lock(state_->mutex);
  for (const auto& claim : found) {
    auto* holder = state_->holder_of(claim);
    if (holder != nullptr && holder->claim.serial == claim.serial) holder->claim.ending = true;
  }
  return found;
}

void Fleet::keep(const std::vector<Claim>& claims) {
  const std::lock_guard lock(state_->mutex);
  for (const auto& claim : claims) {
    auto* holder = state_->holder_of(claim);
    if (holder != nullptr && holder->claim.serial == claim.serial) holder->claim.ending = false;
  }
}

void Fleet::release(const std::vector<Claim>& claims) {
  const std::lock_guard lock(state_->mutex);
  for (const auto& claim : claims) state_->release(claim);
}

void Fleet::State::release(const Claim& claim) {
  auto* record = find_claim(claim.consumer, claim.topic, claim.host, claim.node);
  if (record == nullptr) return;
  if (record->claim.serial <= claim.serial) {
    remove_claim(*record);
    return;
  }
  std::erase_if(record->beneath, [&](const Claim& replaced) { return replaced.serial <= claim.serial; });
}

}  // namespace gantry::fleet
