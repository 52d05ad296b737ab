// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/claims/claims.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/fleet/claims/admission.hpp"
#include "core/fleet/records/later_by.hpp"

namespace gantry::fleet {

namespace {

ClaimStep step_of(ClaimStep::Kind kind, ClaimWrite write, const TrackedClaim& claim) {
  return {kind, write, claim.claim, claim.id, claim.version, claim.state, claim.claim.created_at};
}

// The claims that a claim has replaced may have documents of other nodes, or of none. The store must erase these
// documents with the first change to the claim that replaced them.
void erase_other_keys(const ClaimStack& replaced, const Claim& claim, Claims& claims, ClaimChanges& changes) {
  for (const auto& before : replaced) {
    if (!has_same_key(before.claim, claim))
      changes.add(claims, step_of(ClaimStep::Kind::superseded, ClaimWrite::erase, before));
  }
}

}  // namespace

std::string consumer_key(std::string_view consumer) {
  const auto uuid = parse_uuid(consumer);
  return uuid ? to_text(*uuid) : std::string(consumer);
}

Claims::Claims(std::mutex& fleet_lock, const FleetSettings& settings, Topics& topics)
    : fleet_lock_(fleet_lock), settings_(settings), topics_(topics) {}

ClaimRecord* Claims::find(const Claim& named) const {
  const auto found = claims_.find(consumer_key(named.consumer));
  if (found == claims_.end()) return nullptr;
  for (const auto& record : found->second) {
    if (record->claim.id == named.id && is_on_row_of(record->claim, named)) return record.get();
  }
  return nullptr;
}

std::vector<ClaimRecord*> Claims::replaced_by(const Claim& claim, const RowState& row) {
  std::vector<ClaimRecord*> replaced;
  if (!claim.id.empty()) return replaced;
  const auto of_consumer = row.claims.of_consumer(consumer_key(claim.consumer));
  std::copy_if(of_consumer.begin(), of_consumer.end(), std::back_inserter(replaced),
               [](const ClaimRecord* other) { return other->claim.id.empty(); });
  return replaced;
}

std::optional<std::string> Claims::topic_of(std::string_view consumer) const {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end() || found->second.empty()) return std::nullopt;
  return found->second.front()->claim.topic;
}

bool Claims::has_claims(std::string_view consumer) const {
  const auto found = claims_.find(consumer_key(consumer));
  return found != claims_.end() &&
         std::ranges::any_of(found->second, [](const auto& record) { return record->state != ClaimState::ending; });
}

ClaimRecord* Claims::holder_of(std::string_view consumer, std::uint64_t id) const {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end()) return nullptr;
  for (const auto& record : found->second) {
    if (record->id == id || find_id(record->replaced, id) != record->replaced.end()) return record.get();
  }
  return nullptr;
}

const RowState* Claims::row_of(const gantry_uuid& instance) const {
  const auto found = claims_.find(to_text(instance));
  if (found == claims_.end()) return nullptr;
  const auto comes_before = [](const ClaimRecord& a, const ClaimRecord& b) {
    return a.claim.id.empty() == b.claim.id.empty() ? a.sequence > b.sequence : a.claim.id.empty();
  };
  const ClaimRecord* newest = nullptr;
  for (const auto& record : found->second) {
    if (record->row == nullptr || record->topic->topic() != compute_topic) continue;
    if (newest == nullptr || comes_before(*record, *newest)) newest = record.get();
  }
  return newest ? newest->row : nullptr;
}

Nanoseconds Claims::next_end() const {
  if (aging_.empty()) return std::numeric_limits<Nanoseconds>::max();
  return later_by(later_by(std::get<0>(*aging_.begin()), settings_.claim_max_age), 1);
}

void Claims::insert(ClaimStack stack) {
  auto made = std::make_unique<ClaimRecord>();
  auto& record = *made;
  static_cast<TrackedClaim&>(record) = std::move(stack.back());
  stack.pop_back();
  record.replaced = std::move(stack);
  record.consumer_key = consumer_key(record.claim.consumer);
  record.uuid = parse_uuid(record.claim.consumer);
  record.sequence = ++last_sequence_;
  claims_[record.consumer_key].push_back(std::move(made));
  ++count_;
  if (record.state != ClaimState::tried)
    std::erase_if(unerased_, [&](const TrackedClaim& gone) { return has_same_key(gone.claim, record.claim); });
  auto& hosts = topics_.topic(record.claim.topic);
  hosts.add_claim(hosts.entry(record.claim.host), record);
  join_group(record);
  age(record);
}

void Claims::join_group(const ClaimRecord& record) {
  if (!record.claim.group.empty() && record.uuid) ++members_[record.claim.group][*record.uuid];
}

void Claims::leave_group(const ClaimRecord& record) {
  const auto group = record.uuid ? members_.find(record.claim.group) : members_.end();
  if (group == members_.end()) return;
  auto& members = group->second;
  const auto member = members.find(*record.uuid);
  if (member == members.end() || --member->second != 0) return;
  members.erase(member);
  if (members.empty()) members_.erase(group);
}

ClaimStack Claims::take(ClaimRecord& record) {
  stop_aging(record);
  leave_group(record);
  const auto found = claims_.find(record.consumer_key);
  assert(found != claims_.end());
  auto& of_consumer = found->second;
  const auto position = std::find_if(of_consumer.begin(), of_consumer.end(),
                                     [&](const auto& candidate) { return candidate.get() == &record; });
  const auto taken = std::move(*position);
  of_consumer.erase(position);
  --count_;
  if (of_consumer.empty()) claims_.erase(found);
  auto& host = *taken->host;
  taken->topic->remove_claim(*taken);
  taken->topic->forget_if_empty(host);
  auto stack = std::move(taken->replaced);
  stack.push_back(std::move(static_cast<TrackedClaim&>(*taken)));
  return stack;
}

void Claims::reinstate(ClaimStack stack) {
  auto parts = parted(std::move(stack));
  for (auto& part : parts) {
    // A decision that did not know of this claim may have made another one in its place.
    auto* other = find(part.back().claim);
    insert(other == nullptr ? std::move(part) : joined(std::move(part), take(*other)));
  }
}

void Claims::age(ClaimRecord& record) {
  if (record.ages_from == 0) record.ages_from = settings_.steady(record.claim.created_at);
  if (!record.claim.cast_waits) aging_.emplace(record.ages_from, record.sequence, &record);
}

void Claims::stop_aging(ClaimRecord& record) {
  aging_.erase({record.ages_from, record.sequence, &record});
}

void Claims::begin(Nanoseconds now) {
  const auto first = aging_.upper_bound({now, std::numeric_limits<std::uint64_t>::max(), nullptr});
  const std::vector later(first, aging_.end());
  for (const auto& [ages_from, sequence, record] : later) {
    stop_aging(*record);
    record->ages_from = now;
    age(*record);
  }
}

// ---- moves

std::uint64_t Claims::try_claim(const RowState& row, Claim claim) {
  const auto replaced = replaced_by(claim, row);
  const auto id = ++last_number_;
  ClaimStack stack{{std::move(claim), ClaimState::tried, id, id}};
  for (auto* record : replaced) {
    auto before = take(*record);
    if (before.back().state != ClaimState::ending) {  // the casts of a claim that is ending may be withdrawn with it
      auto& made = stack.back().claim;
      made.durable = made.durable || before.back().claim.durable;
      made.cast_waits = made.cast_waits || before.back().claim.cast_waits;
    }
    stack = joined(std::move(before), std::move(stack));
  }
  insert(std::move(stack));
  return id;
}

bool Claims::confirm(const Claim& named, std::uint64_t id, bool awaits_cast, ClaimChanges& changes) {
  constexpr std::size_t most_replaced = 4;  // whose transactions may still be under way
  auto* record = find(named);
  if (record == nullptr || record->id != id) return false;
  if (record->row != nullptr && !has_room(*record->row, record->claim, {&record, 1})) return false;
  stop_aging(*record);
  const bool keeps = record->state != ClaimState::ending;
  record->claim.durable = named.durable || (keeps && record->claim.durable);
  record->claim.cast_waits = awaits_cast || (keeps && record->claim.cast_waits);
  record->state = ClaimState::held;
  record->version = ++last_number_;
  age(*record);
  std::erase_if(unerased_, [&](const TrackedClaim& gone) { return has_same_key(gone.claim, record->claim); });
  auto& replaced = record->replaced;
  erase_other_keys(replaced, record->claim, *this, changes);
  if (replaced.size() > most_replaced)
    replaced.erase(replaced.begin(), replaced.end() - static_cast<std::ptrdiff_t>(most_replaced));
  changes.add(*this, step_of(ClaimStep::Kind::confirmed, ClaimWrite::store, *record));
  return true;
}

void Claims::give_back(std::string_view consumer, std::uint64_t id) {
  auto* record = holder_of(consumer, id);
  if (record == nullptr) {
    // A report ended the claim. The claim must not come back if the report is rolled back.
    for (auto& [first, stack] : ended_) remove_id(stack, id);
    return;
  }
  if (record->id != id) return remove_id(record->replaced, id);
  auto stack = take(*record);
  stack.pop_back();
  reinstate(std::move(stack));
}

void Claims::release(ClaimRecord& record, ClaimChanges& changes) {
  changes.add(*this, step_of(ClaimStep::Kind::released, ClaimWrite::erase, record));
  erase_other_keys(record.replaced, record.claim, *this, changes);
  record.state = ClaimState::ending;
}

std::size_t Claims::release(std::string_view consumer, ClaimChanges& changes) {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end()) return 0;
  for (const auto& record : found->second) release(*record, changes);
  return found->second.size();
}

void Claims::release_picks(std::string_view consumer, const Claim* kept, ClaimChanges& changes) {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end()) return;
  for (const auto& record : found->second) {
    const bool is_kept = kept != nullptr && is_on_row_of(record->claim, *kept);
    if (record->claim.id.empty() && !is_kept) release(*record, changes);
  }
}

void Claims::end_reported(ClaimRecord& record, ClaimChanges& changes) {
  changes.add(*this, step_of(ClaimStep::Kind::ended, ClaimWrite::erase, record));
  erase_other_keys(record.replaced, record.claim, *this, changes);
  const auto id = record.id;
  ended_[id] = take(record);
}

void Claims::acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes) {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end()) return;
  const auto acknowledge = [&](TrackedClaim& claim, ClaimWrite write) {
    auto step = step_of(ClaimStep::Kind::cast_acknowledged, write, claim);
    claim.claim.cast_waits = step.claim.cast_waits = false;
    claim.claim.created_at = step.claim.created_at = now;
    claim.ages_from = settings_.steady(now);
    changes.add(*this, std::move(step));
  };
  for (const auto& record : found->second) {
    for (auto& replaced : record->replaced) {
      const bool stored = is_stored(replaced, record->replaced, *record);
      if (replaced.claim.cast_waits) acknowledge(replaced, stored ? ClaimWrite::store : ClaimWrite::none);
    }
    if (!record->claim.cast_waits || record->state == ClaimState::ending) continue;
    acknowledge(*record, record->state == ClaimState::held ? ClaimWrite::store : ClaimWrite::none);
    age(*record);
  }
}

void Claims::expire(Nanoseconds now) {
  while (!aging_.empty()) {
    const auto [ages_from, sequence, record] = *aging_.begin();
    if (later_by(ages_from, settings_.claim_max_age) >= now) return;
    auto stack = take(*record);
    const auto newest = stack.back();
    for (auto& claim : stack) {
      if (claim.id == newest.id || !has_same_key(claim.claim, newest.claim)) unerased_.push_back(std::move(claim));
    }
  }
}

void Claims::sweep(Nanoseconds now, ClaimChanges& changes) {
  expire(now);
  for (const auto& gone : std::exchange(unerased_, {}))
    changes.add(*this, step_of(ClaimStep::Kind::expired, ClaimWrite::erase, gone));
  if (std::exchange(has_unstored_, false)) store_again(changes);
}

void Claims::store_again(ClaimChanges& changes) {
  const auto is_unstored = [](const TrackedClaim& claim) { return claim.unstored; };
  each([&](ClaimRecord& record) {
    if (record.unstored && record.state == ClaimState::held) {
      record.unstored = false;
      changes.add(*this, step_of(ClaimStep::Kind::stored_again, ClaimWrite::store, record));
    }
    has_unstored_ =
        has_unstored_ || record.unstored || std::any_of(record.replaced.begin(), record.replaced.end(), is_unstored);
  });
}

void Claims::unload(const Claim& named) {
  if (auto* same = find(named)) take(*same);
}

void Claims::load(const Claim& claim) {
  unload(claim);
  const auto id = ++last_number_;
  insert({{claim, ClaimState::held, id, id}});
}

}  // namespace gantry::fleet
