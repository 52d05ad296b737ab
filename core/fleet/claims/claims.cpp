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

bool is_on_row_of(const Claim& a, const Claim& b) {
  return a.topic == b.topic && a.host == b.host && a.node == b.node;
}

// Whether both have one document in the store.
bool has_same_key(const Claim& a, const Claim& b) {
  return a.consumer == b.consumer && a.id == b.id && is_on_row_of(a, b);
}

auto find_id(std::vector<TrackedClaim>& claims, std::uint64_t id) {
  return std::find_if(claims.begin(), claims.end(), [id](const TrackedClaim& claim) { return claim.id == id; });
}

ClaimStep step_of(ClaimStep::Kind kind, ClaimWrite write, const TrackedClaim& claim) {
  return {kind, write, claim.claim, claim.id, claim.version, claim.state, claim.claim.created_at};
}

// Before its host had reported a node, a claim was stored without the node. The store must erase that document with
// the first change to the claim that replaced it.
void erase_older_keys(const std::vector<TrackedClaim>& replaced, const Claim& claim, Claims& claims,
                      ClaimChanges& changes) {
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

ClaimRecord* Claims::replaced_by(const Claim& claim, const RowState& row) {
  if (!claim.id.empty()) return nullptr;
  const auto of_consumer = row.claims.of_consumer(consumer_key(claim.consumer));
  const auto same = std::find_if(of_consumer.begin(), of_consumer.end(),
                                 [](const ClaimRecord* other) { return other->claim.id.empty(); });
  return same == of_consumer.end() ? nullptr : *same;
}

std::optional<std::string> Claims::topic_of(std::string_view consumer) const {
  const auto found = claims_.find(consumer_key(consumer));
  if (found == claims_.end() || found->second.empty()) return std::nullopt;
  return found->second.front()->claim.topic;
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

ClaimRecord& Claims::insert(TrackedClaim claim, Stack replaced) {
  auto made = std::make_unique<ClaimRecord>();
  auto& record = *made;
  static_cast<TrackedClaim&>(record) = std::move(claim);
  record.replaced = std::move(replaced);
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
  return record;
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

Claims::Stack Claims::take(ClaimRecord& record) {
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

void Claims::reinstate(Stack stack) {
  if (stack.empty()) return;
  const auto& newest = stack.back();
  if (auto* other = find(newest.claim)) {
    // A decision that did not know of this claim made another one in its place.
    auto others = take(*other);
    std::move(others.begin(), others.end(), std::back_inserter(stack));
    std::stable_sort(stack.begin(), stack.end(),
                     [](const TrackedClaim& a, const TrackedClaim& b) { return a.id < b.id; });
  }
  auto top = std::move(stack.back());
  stack.pop_back();
  insert(std::move(top), std::move(stack));
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
  Stack replaced;
  if (auto* same = replaced_by(claim, row)) {
    replaced = take(*same);
    // The casts of a claim that is ending may be withdrawn with it.
    const auto& before = replaced.back();
    const bool inherits = before.state != ClaimState::ending;
    claim.durable = claim.durable || (inherits && before.claim.durable);
    claim.cast_waits = claim.cast_waits || (inherits && before.claim.cast_waits);
  }
  const auto id = ++last_number_;
  insert({std::move(claim), ClaimState::tried, id, id}, std::move(replaced));
  return id;
}

bool Claims::confirm(const Claim& named, std::uint64_t id, bool awaits_cast, ClaimChanges& changes) {
  constexpr std::size_t most_replaced = 4;  // whose transactions may still be under way
  auto* record = find(named);
  if (record == nullptr || record->id != id) return false;
  if (record->row != nullptr && !has_room(*record->row, record->claim, record)) return false;
  auto& replaced = record->replaced;
  if (replaced.size() > most_replaced)
    replaced.erase(replaced.begin(), replaced.end() - static_cast<std::ptrdiff_t>(most_replaced));
  stop_aging(*record);
  const bool keeps = record->state != ClaimState::ending;
  record->claim.durable = named.durable || (keeps && record->claim.durable);
  record->claim.cast_waits = awaits_cast || (keeps && record->claim.cast_waits);
  record->state = ClaimState::held;
  record->version = ++last_number_;
  age(*record);
  std::erase_if(unerased_, [&](const TrackedClaim& gone) { return has_same_key(gone.claim, record->claim); });
  erase_older_keys(replaced, record->claim, *this, changes);
  changes.add(*this, step_of(ClaimStep::Kind::confirmed, ClaimWrite::store, *record));
  return true;
}

void Claims::give_back(std::string_view consumer, std::uint64_t id) {
  auto* record = holder_of(consumer, id);
  if (record == nullptr) {
    // A report ended the claim. The claim must not come back if the report is rolled back.
    for (auto& [first, stack] : ended_)
      std::erase_if(stack, [id](const TrackedClaim& claim) { return claim.id == id; });
    return;
  }
  if (record->id != id) {
    record->replaced.erase(find_id(record->replaced, id));
    return;
  }
  auto stack = take(*record);
  stack.pop_back();
  if (stack.empty()) return;
  auto before = std::move(stack.back());
  stack.pop_back();
  insert(std::move(before), std::move(stack));
}

void Claims::release(ClaimRecord& record, ClaimChanges& changes) {
  changes.add(*this, step_of(ClaimStep::Kind::released, ClaimWrite::erase, record));
  erase_older_keys(record.replaced, record.claim, *this, changes);
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
  erase_older_keys(record.replaced, record.claim, *this, changes);
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
    // The store has the newest claim that was confirmed.
    const TrackedClaim* stored = record->state == ClaimState::held ? record.get() : nullptr;
    for (const auto& replaced : record->replaced) {
      if (record->state == ClaimState::tried && replaced.state == ClaimState::held) stored = &replaced;
    }
    for (auto& replaced : record->replaced) {
      if (replaced.claim.cast_waits) acknowledge(replaced, &replaced == stored ? ClaimWrite::store : ClaimWrite::none);
    }
    if (!record->claim.cast_waits || record->state == ClaimState::ending) continue;
    acknowledge(*record, record.get() == stored ? ClaimWrite::store : ClaimWrite::none);
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
  insert({claim, ClaimState::held, id, id}, {});
}

// ---- what becomes of a step

void Claims::commit(const ClaimStep& step) {
  if (step.kind == ClaimStep::Kind::released) finish_release(step);
  if (step.kind == ClaimStep::Kind::ended) ended_.erase(step.id);
}

void Claims::roll_back(const ClaimStep& step) {
  switch (step.kind) {
    case ClaimStep::Kind::confirmed: return give_back(step.claim.consumer, step.id);
    case ClaimStep::Kind::superseded: return;  // the claim comes back with the step of the claim that replaced it
    case ClaimStep::Kind::released: return cancel_release(step);
    case ClaimStep::Kind::ended: return cancel_end(step);
    case ClaimStep::Kind::cast_acknowledged: return cancel_acknowledgement(step);
    case ClaimStep::Kind::expired: return add_unerased({step.claim, ClaimState::held, step.id, step.version});
    case ClaimStep::Kind::stored_again: return mark_unstored(step);
  }
}

void Claims::retry_later(const ClaimStep& step) {
  switch (step.kind) {
    case ClaimStep::Kind::confirmed: return mark_unstored(step);
    case ClaimStep::Kind::superseded: return add_unerased({step.claim, ClaimState::held, step.id, step.version});
    default: return roll_back(step);
  }
}

void Claims::finish_release(const ClaimStep& step) {
  auto* record = find(step.claim);
  if (record == nullptr) return;
  if (record->version <= step.version) {
    take(*record);
    return;
  }
  std::erase_if(record->replaced, [&](const TrackedClaim& replaced) { return replaced.version <= step.version; });
}

void Claims::cancel_release(const ClaimStep& step) {
  auto* record = holder_of(step.claim.consumer, step.id);
  if (record == nullptr) return;
  auto& claim = record->id == step.id ? *record : *find_id(record->replaced, step.id);
  if (claim.state == ClaimState::ending && claim.version == step.version) claim.state = step.previous_state;
  const bool is_overruled = record->version != step.version;
  const bool is_less =
      (step.claim.durable && !record->claim.durable) || (step.claim.cast_waits && !record->claim.cast_waits);
  if (!is_overruled || !is_less) return;
  // The claim that overruled the release did not count on the released one's casts, which now stay.
  stop_aging(*record);
  record->claim.durable = record->claim.durable || step.claim.durable;
  record->claim.cast_waits = record->claim.cast_waits || step.claim.cast_waits;
  age(*record);
  if (record->state == ClaimState::held) record->unstored = has_unstored_ = true;
}

void Claims::cancel_end(const ClaimStep& step) {
  const auto found = ended_.find(step.id);
  if (found == ended_.end()) return;
  auto stack = std::move(found->second);
  ended_.erase(found);
  has_unstored_ = true;  // one of them may be: the next sweep looks
  reinstate(std::move(stack));
}

void Claims::cancel_acknowledgement(const ClaimStep& step) {
  const auto wait_again = [&step](TrackedClaim& claim) {
    claim.claim.cast_waits = true;
    claim.claim.created_at = step.previous_created_at;
    claim.ages_from = 0;
  };
  if (auto* record = holder_of(step.claim.consumer, step.id)) {
    if (record->id != step.id) return wait_again(*find_id(record->replaced, step.id));
    stop_aging(*record);
    return wait_again(*record);
  }
  // The claim became too old meanwhile, but a claim whose cast waits does not age.
  const auto gone = find_id(unerased_, step.id);
  if (gone == unerased_.end()) return;
  auto claim = std::move(*gone);
  unerased_.erase(gone);
  wait_again(claim);
  reinstate({std::move(claim)});
}

void Claims::add_unerased(TrackedClaim claim) {
  const auto* other = find(claim.claim);
  if (other != nullptr && other->state != ClaimState::tried && has_same_key(other->claim, claim.claim)) return;
  unerased_.push_back(std::move(claim));
}

void Claims::mark_unstored(const ClaimStep& step) {
  auto* record = holder_of(step.claim.consumer, step.id);
  if (record == nullptr) return;
  auto& claim = record->id == step.id ? *record : *find_id(record->replaced, step.id);
  claim.unstored = true;
  has_unstored_ = true;
}

}  // namespace gantry::fleet
