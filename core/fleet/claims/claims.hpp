// SPDX-License-Identifier: Apache-2.0
//
// The claims of a fleet: the promise that no host is booked twice. A claim holds resources of one row for one consumer,
// from the moment when a driver picks the row until the host's own report shows them as used. In every state but "gone"
// the claim counts against its row.
//
//             Fleet::claim
//                  |
//                  v        ClaimTicket ends or is given back
//                tried -----------------------------------------> gone; the claims that this
//                  |                                              one replaced come back
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
// ending   A transaction that erases the claim is under way. The room stays taken until the commit, since a failed
//          transaction could not take the room again. A ticket that is confirmed meanwhile overrules the release.
//
// Each step after "tried" is recorded in a ClaimChanges, whose steps go to the store in one transaction. commit()
// completes the steps, roll_back() undoes them from the last to the first. Transactions fail in the order of their
// submission, and all that were submitted after a failed one fail with it, so that undoing in reverse order restores
// memory exactly.
//
// A pick and a driver's own claim stand side by side: a driver's claim (Claim::id is set) replaces nothing and is
// replaced by nothing, so that it adds to all that its consumer holds. A new pick's claim replaces at once all that
// earlier picks of its consumer hold on the row, and carries them along in ClaimRecord::replaced, in case the new one is
// given back or rolled back. Right after a pick, its consumer has one claim of a pick on the row. Several claims come to
// stand on one row, and all count, when rows go: claims of two nodes that were both removed stand on the host's one row.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/fleet/claims/claim_changes.hpp"
#include "core/fleet/claims/claim_stack.hpp"
#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/fleet/topics/topics.hpp"

namespace gantry::fleet {

// Returns the text by which the claims of a consumer are found: the consumer, in lower case if it is a UUID.
std::string consumer_key(std::string_view consumer);

// All claims of a fleet. Under the fleet's lock, but for fleet_lock().
class Claims {
 public:
  // The arguments must outlive this object.
  Claims(std::mutex& fleet_lock, const FleetSettings& settings, Topics& topics);

  // Returns the fleet's lock, which ClaimTicket and ClaimChanges take themselves.
  std::mutex& fleet_lock() const { return fleet_lock_; }

  // ---- lookups
  // Returns the claim with the consumer, topic, host, node and id of `named`. nullptr if there is none.
  ClaimRecord* find(const Claim& named) const;
  // Returns the topic of the consumer's first claim. nullopt if it has none.
  std::optional<std::string> topic_of(std::string_view consumer) const;
  // Returns the claims on the row that `claim` would replace: those of earlier picks of the same consumer. Empty if
  // `claim` is not the claim of a pick.
  static std::vector<ClaimRecord*> replaced_by(const Claim& claim, const RowState& row);
  // Returns the row of the instance's newest claim in the compute topic. The claims of picks come before those of
  // drivers' methods. nullptr if there is none.
  const RowState* row_of(const gantry_uuid& instance) const;
  // Returns the time at which the next claim becomes too old. The latest time of Nanoseconds if no claim ages.
  Nanoseconds next_end() const;
  std::size_t size() const { return count_; }
  // Returns whether the consumer has a claim that is not ending.
  bool has_claims(std::string_view consumer) const;
  // The instances of claims by Claim::group, each with the number of its claims. nullptr: the group has none.
  using Members = std::map<gantry_uuid, std::uint32_t, UuidLess>;
  const Members* members_of(std::string_view group) const {
    const auto found = members_.find(group);
    return found == members_.end() ? nullptr : &found->second;
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [consumer, records] : claims_)
      for (const auto& record : records) visit(*record);
  }

  // ---- moves, as in the picture above
  // Adds a claim to a row, without checking the row's room. If the claim replaces others, it is also durable, or waits
  // for a cast, if one of them does that is not ending. Returns the new claim's number (TrackedClaim::id).
  std::uint64_t try_claim(const RowState& row, Claim claim);
  // Confirms the claim with this number and with the names of `named`. If it overrules a release, it is durable or
  // waits for a cast only if `named` or `awaits_cast` says so. False if the claim is gone or replaced, or if its row
  // has no room for it any more.
  bool confirm(const Claim& named, std::uint64_t id, bool awaits_cast, ClaimChanges& changes);
  // Removes a claim. The claims that it replaced come back.
  void give_back(std::string_view consumer, std::uint64_t id);
  // Releases the consumer's claims. Returns how many claims were released.
  std::size_t release(std::string_view consumer, ClaimChanges& changes);
  // Releases the claims of the consumer's picks, except the one on the row that `kept` names, which may be nullptr.
  void release_picks(std::string_view consumer, const Claim* kept, ClaimChanges& changes);
  // Removes a claim whose resources a report shows as used.
  void end_reported(ClaimRecord& record, ClaimChanges& changes);
  // Lets the consumer's claims that wait for a cast age from `now` on, a time of the system clock.
  void acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes);
  // Removes the claims that are too old at `now` from memory. The next sweep erases them from the store.
  void expire(Nanoseconds now);
  // Expires claims. Adds to `changes` what the store still lacks: erased claims, and claims to be stored again.
  void sweep(Nanoseconds now, ClaimChanges& changes);
  // Lets claims of a time after `now` age from `now` on. Called after all claims were loaded.
  void begin(Nanoseconds now);
  // Adds a held claim from the store. Replaces a claim of the same names.
  void load(const Claim& claim);
  // Removes the claim of these names, if there is one.
  void unload(const Claim& named);

  // ---- the end of one step's transaction. Called by ClaimChanges alone.
  void commit(const ClaimStep& step);
  void roll_back(const ClaimStep& step);
  void retry_later(const ClaimStep& step);

 private:
  void insert(ClaimStack stack);
  ClaimStack take(ClaimRecord& record);
  // Inserts the stacks that `stack` parts into, each joined with the claim that has its key by now.
  void reinstate(ClaimStack stack);
  // Returns the record of the claim with this id, or of the claim that replaced it. nullptr if there is none.
  ClaimRecord* holder_of(std::string_view consumer, std::uint64_t id) const;
  void join_group(const ClaimRecord& record);
  void leave_group(const ClaimRecord& record);
  void age(ClaimRecord& record);
  void stop_aging(ClaimRecord& record);
  void release(ClaimRecord& record, ClaimChanges& changes);
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
  std::map<std::string, Members, std::less<>> members_;
  std::size_t count_ = 0;                                                 // number of records in claims_
  std::set<std::tuple<Nanoseconds, std::uint64_t, ClaimRecord*>> aging_;  // claims that age, by ages_from
  // Claims that a report ended, by id, until the transaction of the report is committed.
  std::unordered_map<std::uint64_t, ClaimStack> ended_;
  std::vector<TrackedClaim> unerased_;  // claims that are gone from memory and still in the store
  bool has_unstored_ = false;           // a claim may have `unstored` set
  std::uint64_t last_sequence_ = 0;
  std::uint64_t last_number_ = 0;  // the last id or version that was given
};

}  // namespace gantry::fleet
