// SPDX-License-Identifier: Apache-2.0
//
// The changes to claims that one store transaction carries. Memory changes first. If the transaction succeeds, commit()
// completes the changes in memory; if it fails, roll_back() undoes them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fleet/records/tracked_claim.hpp"

namespace gantry::fleet {

class Claims;

// The effect of the transaction on the stored document of one claim.
enum class ClaimWrite : std::uint8_t { none, store, erase };

struct ClaimStep {
  enum class Kind : std::uint8_t {
    confirmed,          // a ticket was confirmed
    superseded,         // a confirmed or removed claim had replaced this one under an older key
    released,           // its consumer's claims are released
    ended,              // a report shows what the claim held
    cast_acknowledged,  // from now on the claim ages
    expired,            // the claim became too old
    stored_again,       // an earlier transaction that stored the claim had failed
  };
  Kind kind = Kind::confirmed;
  ClaimWrite write = ClaimWrite::none;
  Claim claim;  // as it is stored; its consumer, topic, host and node are the key of the document
  std::uint64_t id = 0;
  std::uint64_t version = 0;
  ClaimState previous_state = ClaimState::held;  // of a released claim
  Nanoseconds previous_created_at = 0;           // of a claim whose cast was acknowledged
};

// [any thread] Move-only. Rolls back at its end, unless commit or retry_later came before. Must not outlive its Fleet.
class ClaimChanges {
 public:
  ClaimChanges() = default;
  ~ClaimChanges() { roll_back(); }
  ClaimChanges(ClaimChanges&& other) noexcept;
  ClaimChanges& operator=(ClaimChanges&& other) noexcept;

  // The steps in the order in which they were made. Empty after commit, roll_back and retry_later.
  const std::vector<ClaimStep>& steps() const { return steps_; }
  bool empty() const { return steps_.empty(); }

  // The transaction is durable: released claims are gone.
  void commit();
  // The transaction failed: the claims are as they were before it, undone from the last step to the first.
  void roll_back();
  // The transaction failed, but its answer had been given before: memory stays as it is, and Fleet::sweep_claims
  // hands the same changes out again.
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
