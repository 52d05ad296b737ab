// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/claims/claim_ticket.hpp"

#include <array>
#include <mutex>
#include <set>
#include <utility>

#include "core/fleet/claims/claims.hpp"

namespace gantry::fleet {

ClaimTicket::ClaimTicket(Claims& claims, Claim claim, std::uint64_t id, bool awaits_cast)
    : claims_(&claims), claim_(std::move(claim)), id_(id), awaits_cast_(awaits_cast), outcome_(ClaimOutcome::held) {}

ClaimTicket::ClaimTicket(ClaimTicket&& other) noexcept
    : claims_(std::exchange(other.claims_, nullptr)),
      claim_(std::move(other.claim_)),
      id_(other.id_),
      awaits_cast_(other.awaits_cast_),
      outcome_(other.outcome_) {}

ClaimTicket& ClaimTicket::operator=(ClaimTicket&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  claims_ = std::exchange(other.claims_, nullptr);
  claim_ = std::move(other.claim_);
  id_ = other.id_;
  awaits_cast_ = other.awaits_cast_;
  outcome_ = other.outcome_;
  return *this;
}

bool ClaimTicket::confirm(ClaimChanges& changes) {
  if (claims_ == nullptr) return false;
  const std::lock_guard lock(claims_->fleet_lock());
  if (!claims_->confirm(claim_, id_, awaits_cast_, changes)) return false;
  claims_ = nullptr;
  return true;
}

void ClaimTicket::give_back() {
  auto* claims = std::exchange(claims_, nullptr);
  if (claims == nullptr) return;
  const std::lock_guard lock(claims->fleet_lock());
  claims->give_back(claim_.consumer, id_);
}

const Claim* confirm_all(std::span<ClaimTicket> tickets, ClaimChanges& changes) {
  if (tickets.size() > 1) {
    std::set<std::array<std::string_view, 5>> keys;
    for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket) {
      const auto& claim = ticket->claim();
      if (*ticket && !keys.insert({claim.consumer, claim.topic, claim.host, claim.node, claim.id}).second)
        ticket->give_back();
    }
  }
  for (auto& ticket : tickets) {
    if (ticket && !ticket.confirm(changes)) return &ticket.claim();
  }
  return nullptr;
}

}  // namespace gantry::fleet
