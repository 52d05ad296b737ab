// SPDX-License-Identifier: Apache-2.0
//
// The claims of a fleet: the promise that no host is booked twice. A claim holds resources of one row for one consumer,
// from the moment when a driver picks the row until the host's own report shows them as used. In every state but "gone"
// the claim counts against its row.
//
//             Fleet::claim
//                  |
//                  v        ClaimTicket ends or is given back
//                tried -----------------------------------------> gone, and the claim that
//                  |                                              this one replaced is back
//   ClaimTicket::confirm                                                ^
//                  v        roll_back of the confirmation               |
//         +----> held --------------------------------------------------+
//         |        | |
//         |        | |      a report shows the instance, or claim_max_age has passed
//         |        | +------------------------------------------> gone
//         |        |                                              (roll_back of the report: held again)
//         |   Fleet::release_claims                                     ^
//   roll_back      v        commit                                      |
//         +---- ending -------------------------------------------------+
//
// tried    Only memory knows the claim. Its ClaimTicket moves it on.
// held     The store has the claim, or a transaction that stores the claim is under way.
// ending   A transaction that erases the claim is under way. Until it is committed the room stays taken: a failed
// commit
//          could not take the room again. A ticket that is confirmed meanwhile overrules the release.
//
// Each step after "tried" is recorded in a ClaimChanges, which one store transaction carries. commit() completes the
// steps, roll_back() undoes them from the last to the first. Transactions fail in the order of their submission, and
// all that were submitted after a failed one fail with it, so that undoing in reverse order restores memory exactly.
//
// One consumer has at most one claim on a row. A new claim replaces the old one at once and carries the old one along
// in ClaimRecord::replaced, for the case that the new one is given back or rolled back.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/fleet/claims/claim_changes.hpp"
#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/fleet/topics/topics.hpp"

namespace gantry::fleet {

// The consumer; a UUID in lower case.
std::string consumer_key(std::string_view consumer);

class Claims {
 public:
  // All three outlive this object.
  Claims(std::mutex& fleet_lock, const FleetSettings& settings, Topics& topics);

  // ClaimTicket and ClaimChanges lock it themselves. Callers of the functions below hold the lock.
  std::mutex& fleet_lock() const { return fleet_lock_; }

  // ---- lookups
  ClaimRecord* find(std::string_view consumer, std::string_view topic, std::string_view host,
                    std::string_view node) const;
  // Returns the row of the compute topic that the instance claimed last. nullptr if there is none.
  const RowState* row_of(const gantry_uuid& instance) const;
  // Returns the first time at which a claim is too old. The latest time there is if no claim ages.
  Nanoseconds next_end() const;
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [consumer, records] : claims_)
      for (const auto& record : records) visit(*record);
  }

  // ---- moves, as in the picture above
  // Adds a claim to a row, without a question. A claim of the same consumer on the row is replaced, and its durable and
  // cast_waits carry over. Returns the new claim's id.
  std::uint64_t try_claim(const RowState& row, Claim& claim);
  // `named` tells the key of the claim.
  bool confirm(const Claim& named, std::uint64_t id, bool awaits_cast, ClaimChanges& changes);
  void give_back(std::string_view consumer, std::uint64_t id);
  // Releases all claims of a consumer but `kept` (may be nullptr). Returns how many.
  std::size_t release(std::string_view consumer, const Claim* kept, ClaimChanges& changes);
  void end_reported(ClaimRecord& record, ClaimChanges& changes);
  void acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes);
  // Removes claims that are too old. The next sweep erases them from the store.
  void expire(Nanoseconds now);
  void sweep(Nanoseconds now, ClaimChanges& changes);
  // Adds a held claim from the store, in place of one with its key.
  void load(const Claim& claim);

  // ---- what becomes of a step, for ClaimChanges
  void commit(const ClaimStep& step);
  void roll_back(const ClaimStep& step);
  void retry_later(const ClaimStep& step);

 private:
  // A claim and the claims that it has replaced: oldest first, the claim itself last.
  using Stack = std::vector<TrackedClaim>;

  ClaimRecord& insert(TrackedClaim claim, Stack replaced);
  Stack take(ClaimRecord& record);
  void reinstate(Stack stack);
  // Returns the record that is the claim of that id, or has replaced that claim.
  ClaimRecord* holder_of(std::string_view consumer, std::uint64_t id) const;
  void age(ClaimRecord& record);
  void stop_aging(ClaimRecord& record);
  void add_unerased(TrackedClaim claim);
  void mark_unstored(const ClaimStep& step);
  void store_again(ClaimChanges& changes);
  void finish_release(const ClaimStep& step);
  void cancel_release(const ClaimStep& step);
  void cancel_acknowledgement(const ClaimStep& step);
  void cancel_end(const ClaimStep& step);

  std::mutex& fleet_lock_;
  const FleetSettings& settings_;
  Topics& topics_;
  std::unordered_map<std::string, std::vector<std::unique_ptr<ClaimRecord>>> claims_;  // by consumer key
  std::set<std::tuple<Nanoseconds, std::uint64_t, ClaimRecord*>> aging_;               // by created_at
  std::unordered_map<std::uint64_t, Stack> ended_;  // by id, until the transaction of the report is committed
  std::vector<TrackedClaim> unerased_;              // gone, but not yet from the store
  bool has_unstored_ = false;                       // some claim may be unstored
  std::uint64_t last_sequence_ = 0;
  std::uint64_t last_number_ = 0;  // of ids and versions
};

}  // namespace gantry::fleet
