// SPDX-License-Identifier: Apache-2.0
//
// The changes to claims that one store transaction carries. Memory changes before the store. If the transaction
// succeeds, commit() completes the changes in memory. If the transaction fails, roll_back() undoes them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fleet/records/tracked_claim.hpp"

namespace gantry::fleet {

class Claims;

// The effect of the transaction on the stored document of one claim.
enum class ClaimWrite : std::uint8_t { none, store, erase };

// One change to one claim.
struct ClaimStep {
  enum class Kind : std::uint8_t {
    confirmed,  // a ticket was confirmed
    // The claim was stored without a node, before its host had reported one. The claim that replaced it, which names
    // the node, is confirmed or removed: the store erases this older document.
    superseded,
    released,           // the consumer gives the claim up
    ended,              // a report shows the claimed resources as used
    cast_acknowledged,  // the cast arrived, from now on the claim ages
    expired,            // the claim became too old
    stored_again,       // stores a claim whose earlier transaction failed
  };
  Kind kind = Kind::confirmed;
  ClaimWrite write = ClaimWrite::none;
  Claim claim;                                   // as stored; the document's key is its consumer, topic, host and node
  std::uint64_t id = 0;                          // TrackedClaim::id
  std::uint64_t version = 0;                     // TrackedClaim::version
  ClaimState previous_state = ClaimState::held;  // for released and ended: the claim's state before the step
  Nanoseconds previous_created_at = 0;           // for cast_acknowledged: the claim's created_at before the step
};

// The steps of one transaction. [any thread] Move-only. The destructor rolls back, unless commit or retry_later was
// called. Must not outlive its Fleet.
class ClaimChanges {
 public:
  ClaimChanges() = default;
  ~ClaimChanges() { roll_back(); }
  ClaimChanges(ClaimChanges&& other) noexcept;
  ClaimChanges& operator=(ClaimChanges&& other) noexcept;

  // The steps in the order in which they were made. Empty after commit, roll_back and retry_later.
  const std::vector<ClaimStep>& steps() const { return steps_; }
  bool empty() const { return steps_.empty(); }

  // Call when the transaction is durable. Removes the released claims from memory.
  void commit();
  // Call when the transaction failed. Undoes the steps, from the last to the first.
  void roll_back();
  // Call when the transaction of an answered request failed. Confirmed claims stay held, and the next
  // Fleet::sweep_claims stores them again. That sweep also erases superseded documents. Undoes the other steps.
  void retry_later();

  // Called by Claims alone, under the fleet's lock.
  void add(Claims& claims, ClaimStep step);

 private:
  template <class Move>
  void finish(const Move& move);

  Claims* claims_ = nullptr;
  std::vector<ClaimStep> steps_;
};

}  // namespace gantry::fleet
