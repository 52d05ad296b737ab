// SPDX-License-Identifier: Apache-2.0
//
// A claim in the hands of the request that made it. The claim counts against its host at once. The ticket's destructor
// gives the claim back, unless the request has confirmed it.
#pragma once

#include <cstdint>
#include <span>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

class ClaimChanges;
class Claims;

// held: the claim was made. lost: the row has no room for the claim any more, or the server group now forbids the host.
// no_such_row: the row does not exist, or has been removed or renamed since the view was made.
enum class ClaimOutcome : std::uint8_t { held, lost, no_such_row };

// [any thread] Move-only. Must not outlive its Fleet.
class [[nodiscard]] ClaimTicket {
 public:
  ClaimTicket() = default;  // holds no claim
  explicit ClaimTicket(ClaimOutcome refusal) : outcome_(refusal) {}
  ClaimTicket(Claims& claims, Claim claim, std::uint64_t id, bool awaits_cast);
  ~ClaimTicket() { give_back(); }
  ClaimTicket(ClaimTicket&& other) noexcept;
  ClaimTicket& operator=(ClaimTicket&& other) noexcept;

  ClaimOutcome outcome() const { return outcome_; }
  // Returns whether the ticket holds a claim: one that was neither confirmed nor given back.
  explicit operator bool() const { return claims_ != nullptr; }
  // Returns the claim. Its topic, host and node name the host that the claim is on.
  const Claim& claim() const { return claim_; }

  // Call if the request casts a message for the claim. The confirmed claim then ages only after the cast is
  // acknowledged.
  void await_cast() { awaits_cast_ = true; }
  // Makes the claim held and adds the step that stores the claim to `changes`. Overrules a release that is under way.
  // Returns false if the claim has ended, was replaced, or no longer fits on its row. Then the claim must not be
  // stored, and the ticket still holds the claim.
  bool confirm(ClaimChanges& changes);
  // Removes the claim. The claim that it replaced, if any, comes back, unless that one has ended since.
  void give_back();

 private:
  Claims* claims_ = nullptr;
  Claim claim_;
  std::uint64_t id_ = 0;
  bool awaits_cast_ = false;
  ClaimOutcome outcome_ = ClaimOutcome::lost;
};

// Confirms the tickets of one request in order. First gives back each ticket whose claim a later ticket replaced. Stops
// at the first claim that cannot be confirmed and returns it. nullptr if all could.
const Claim* confirm_all(std::span<ClaimTicket> tickets, ClaimChanges& changes);

}  // namespace gantry::fleet
