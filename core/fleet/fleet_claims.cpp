// SPDX-License-Identifier: Apache-2.0
//
// Which picks become claims. core/fleet/claims/ has what becomes of the claims.
#include <algorithm>

#include "core/encoding/uuid.hpp"
#include "core/fleet/claims/admission.hpp"
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

bool Fleet::State::is_member(const GroupBound& bound, const KnownGroup* known, const gantry_uuid& instance) const {
  const auto* claimed = claims.members_of(bound.group);
  if (!(known != nullptr && known->members.contains(instance)) &&
      !(claimed != nullptr && claimed->contains(instance)) &&
      !std::binary_search(bound.members.begin(), bound.members.end(), instance, UuidLess()))
    return false;
  const auto* record = find_instance(instance);
  return record == nullptr || record->counts_as_member();
}

bool Fleet::State::has_placed_member(const GroupBound& bound, const KnownGroup* known,
                                     const std::optional<gantry_uuid>& except) const {
  const auto is_placed = [&](const gantry_uuid& instance) {
    return !(except && UuidEqual()(*except, instance)) && is_member(bound, known, instance) &&
           locate(instance) != nullptr;
  };
  const auto* claimed = claims.members_of(bound.group);
  return std::ranges::any_of(bound.members, is_placed) ||
         (known != nullptr && std::ranges::any_of(known->members, is_placed)) ||
         (claimed != nullptr &&
          std::ranges::any_of(*claimed, [&](const auto& member) { return is_placed(member.first); }));
}

bool Fleet::State::follows(const GroupBound& bound, const HostEntry& host, std::string_view consumer) const {
  if (bound.most_on_a_host == 0 && !bound.together) return true;
  const auto found = groups.find(bound.group);
  const auto* known = found == groups.end() ? nullptr : &found->second;
  const auto own = parse_uuid(consumer);
  // A host has few instances, and a group may have many members.
  std::uint32_t here = 0;
  for (const auto& row : host.rows) {
    for (const auto& instance : row->instances) {
      if (own && UuidEqual()(*own, instance)) continue;
      if (is_member(bound, known, instance) && locate(instance) == row.get()) ++here;
    }
  }
  if (bound.most_on_a_host != 0 && here >= bound.most_on_a_host) return false;
  return !bound.together || here != 0 || !has_placed_member(bound, known, own);
}

ClaimTicket Fleet::claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim claim,
                         const GroupBound& bound) {
  const auto* copy = moment.state_ ? moment.state_->find(view) : nullptr;
  if (copy == nullptr || row >= view.rows) return ClaimTicket(ClaimOutcome::no_such_row);
  const std::lock_guard lock(state_->mutex);
  auto* hosts = state_->topics.find(copy->topic());
  const auto* live = hosts ? hosts->table().find(copy->entity(row)) : nullptr;
  if (live == nullptr) return ClaimTicket(ClaimOutcome::no_such_row);
  const auto consumer = consumer_key(claim.consumer);
  if (!has_room(*live, claim, Claims::replaced_by(claim, *live)) || !state_->follows(bound, *live->host, consumer) ||
      !documents_are_current(claim, hosts->table(), *live, view, row))
    return ClaimTicket(ClaimOutcome::lost);
  claim.topic = copy->topic();
  claim.host = live->host->host;
  claim.node = live->node;
  const bool awaits_cast = claim.cast_waits;
  const auto id = state_->claims.try_claim(*live, claim);
  return {state_->claims, std::move(claim), id, awaits_cast};
}

std::optional<std::string> Fleet::topic_of_claims(std::string_view consumer) const {
  const std::lock_guard lock(state_->mutex);
  return state_->claims.topic_of(consumer);
}

std::size_t Fleet::release_claims(std::string_view consumer, ClaimChanges& changes) {
  const std::lock_guard lock(state_->mutex);
  return state_->claims.release(consumer, changes);
}

void Fleet::release_picks(std::string_view consumer, ClaimChanges& changes, const Claim* kept) {
  const std::lock_guard lock(state_->mutex);
  state_->claims.release_picks(consumer, kept, changes);
}

void Fleet::acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes) {
  const std::lock_guard lock(state_->mutex);
  state_->claims.acknowledge_cast(consumer, now, changes);
}

void Fleet::sweep_claims(Nanoseconds now, ClaimChanges& changes) {
  const std::lock_guard lock(state_->mutex);
  state_->claims.sweep(now, changes);
}

void Fleet::load_claim(const Claim& claim) {
  const std::lock_guard lock(state_->mutex);
  state_->claims.load(claim);
}

void Fleet::unload_claim(const Claim& named) {
  const std::lock_guard lock(state_->mutex);
  state_->claims.unload(named);
}

}  // namespace gantry::fleet
