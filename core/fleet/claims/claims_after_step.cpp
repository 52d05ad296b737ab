// SPDX-License-Identifier: Apache-2.0
//
// The end of a step: its transaction is durable, or has failed.
#include <algorithm>
#include <utility>

#include "core/fleet/claims/claims.hpp"

namespace gantry::fleet {

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
