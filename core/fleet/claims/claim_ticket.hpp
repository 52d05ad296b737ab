// SPDX-License-Identifier: Apache-2.0
//
// A claim in the hands of the request that made it. The claim counts against its host at once. It is given back when
// the ticket ends, unless the request confirmed it.
#pragma once

#include <cstdint>
#include <span>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

class ClaimChanges;
class Claims;

enum class ClaimOutcome : std::uint8_t { held, lost, no_such_row };

// [any thread] Move-only. Must not outlive its Fleet.
class [[nodiscard]] ClaimTicket {
 public:
  ClaimTicket() = default;  // holds nothing
  explicit ClaimTicket(ClaimOutcome refusal) : outcome_(refusal) {}
  ClaimTicket(Claims& claims, Claim claim, std::uint64_t id, bool awaits_cast);
  ~ClaimTicket() { give_back(); }
  ClaimTicket(ClaimTicket&& other) noexcept;
  ClaimTicket& operator=(ClaimTicket&& other) noexcept;

  ClaimOutcome outcome() const { return outcome_; }
  // Returns true until the ticket was confirmed or given back.
  explicit operator bool() const { return claims_ != nullptr; }
  // Returns the claim. Its topic, host and node name the host that the claim is on.
  const Claim& claim() const { return claim_; }

  // The request casts a message for the claim: once confirmed, the claim does not age before that cast is acknowledged.
  void await_cast() { awaits_cast_ = true; }
  // Hands the claim over to `changes`, for the store to follow. A release of the claim that is under way is overruled.
  // False: the claim has ended or was replaced since, or no longer fits; it must not be stored, and the ticket keeps
  // it.
  bool confirm(ClaimChanges& changes);
  // The claim that this one replaced, if any, is held again. A claim that has ended since stays ended.
  void give_back();

 private:
  Claims* claims_ = nullptr;
  Claim claim_;
  std::uint64_t id_ = 0;
  bool awaits_cast_ = false;
  ClaimOutcome outcome_ = ClaimOutcome::lost;
};

// Confirms the tickets of one request. A ticket whose claim was replaced by a later one of the same request is given
// back. Returns the first claim that could not be confirmed. nullptr if all could.
const Claim* confirm_all(std::span<ClaimTicket> tickets, ClaimChanges& changes);

}  // namespace gantry::fleet
