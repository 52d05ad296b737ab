// SPDX-License-Identifier: Apache-2.0
//
// The members of a Fleet. One mutex guards all of them.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/fleet/cells/instance_record.hpp"
#include "core/fleet/claims/claims.hpp"
#include "core/fleet/fleet.hpp"
#include "core/fleet/history/fact_history.hpp"
#include "core/fleet/topics/topics.hpp"

namespace gantry::fleet {

// Hash and equality for the set of instances, which is searched by uuid.
struct InstanceHash {
  using is_transparent = void;
  std::size_t operator()(const gantry_uuid& uuid) const { return UuidHash()(uuid); }
  std::size_t operator()(const std::unique_ptr<InstanceRecord>& record) const { return UuidHash()(record->uuid); }
};

struct InstanceEqual {
  using is_transparent = void;
  using Held = std::unique_ptr<InstanceRecord>;
  bool operator()(const Held& a, const Held& b) const { return UuidEqual()(a->uuid, b->uuid); }
  bool operator()(const gantry_uuid& a, const Held& b) const { return UuidEqual()(a, b->uuid); }
  bool operator()(const Held& a, const gantry_uuid& b) const { return UuidEqual()(a->uuid, b); }
};

// A server group, and its members for searches.
struct KnownGroup {
  Group record;
  boost::unordered_flat_set<gantry_uuid, UuidHash, UuidEqual> members;
};

struct Fleet::State {
  explicit State(FleetSettings its_settings);

  // ---- time
  // Brings services and claims to their state at `now`, in steady time. `now` may be earlier than in the last call:
  // services go back, but claims that ended stay ended.
  void advance(Nanoseconds now);
  void move_clock(Nanoseconds now);
  void set_clock(Nanoseconds now);
  // Add and remove a host's entry in `heartbeats`, which stands at HostEntry::heard_at.
  void note_heartbeat(TopicHosts& topic, HostEntry& host);
  void forget_heartbeat(TopicHosts& topic, HostEntry& host);
  Nanoseconds find_next_heartbeat_event() const;
  // Returns the first time at which a heartbeat is too old.
  Nanoseconds end_of_heartbeat(Nanoseconds heard_at) const;

  // ---- limits
  // Checks that there is room for the topic and for a row of the host and node, unless they are there.
  Result<void> check_row(std::string_view topic, std::string_view host, std::string_view node) const;

  // ---- claims
  // Ends the claims on a row whose resources the row's new report shows as used.
  void end_reported_claims(const ComputeNode& report, const RowState& row, ClaimChanges& changes);

  // ---- instances
  InstanceRecord* find_instance(const gantry_uuid& uuid) const;
  // Add and remove an instance at the host that its record names, if it is placed.
  void place(InstanceRecord& record);
  // Counts a record in instances_by_state, or takes it out.
  void count(const InstanceRecord& record);
  void uncount(const InstanceRecord& record);
  void displace(InstanceRecord& record);
  // Returns the row of an instance: by its record, else by a report, else by its newest claim. nullptr if there is
  // none.
  const RowState* locate(const gantry_uuid& instance) const;
  // Returns whether an instance is a member of the bound's group that counts. `known` may be nullptr.
  bool is_member(const GroupBound& bound, const KnownGroup* known, const gantry_uuid& instance) const;
  // Returns whether a member other than `except` is on a host.
  bool has_placed_member(const GroupBound& bound, const KnownGroup* known,
                         const std::optional<gantry_uuid>& except) const;
  // Returns whether an instance record, a claim or a report knows the instance, and it is not deleted.
  bool is_known(const gantry_uuid& instance) const;
  // Returns whether the bound lets an instance (`consumer`) go to a host. Judges by where the other members of the
  // group are now.
  bool follows(const GroupBound& bound, const HostEntry& host, std::string_view consumer) const;

  // ---- aggregates
  // Add a host to an aggregate and remove it.
  void join(const Aggregate& aggregate, const std::string& host);
  void leave(std::int64_t aggregate, const std::string& host);
  // Call for each host of an aggregate whose availability zone has changed.
  void change_zone(const Aggregate& aggregate, const std::string& host);
  // Add the name and uuid by which an aggregate is found, and remove them.
  void name(const Aggregate& aggregate);
  void unname(const Aggregate& aggregate);

  // ---- groups
  // Adds a group, or gives a known one this record. Returns the record that it had.
  std::optional<Group> set_group(Group record);
  std::optional<Group> erase_group(std::string_view uuid);

  // ---- moments
  // Adds what the copies show to the history, if one is kept. Returns the number of the moment.
  std::uint64_t note_moment(const std::vector<std::shared_ptr<TableCopy>>& copies);
  // Returns whether no topic has changed since `newest` was made.
  bool newest_is_current() const;

  mutable std::mutex mutex;
  FleetSettings settings;
  TextPool texts;
  Nanoseconds clock;                 // the time of the last advance()
  FreshTimes fresh;                  // the times at which a heartbeat is fresh
  Nanoseconds next_heartbeat_event;  // before this time no heartbeat becomes too old, and none of the future fresh
  AggregatesById aggregates;
  std::set<std::pair<std::string, std::int64_t>> aggregate_names;  // name or uuid, id
  std::map<std::string, KnownGroup, std::less<>> groups;
  std::unordered_multimap<gantry_uuid, std::string, UuidHash, UuidEqual> groups_of_members;
  std::set<std::pair<std::string, std::string>> group_names;  // name, uuid
  boost::unordered_flat_set<std::unique_ptr<InstanceRecord>, InstanceHash, InstanceEqual> instances;
  std::map<std::string, std::size_t, std::less<>> instances_by_state;     // how many have each vm_state, without zeros
  std::set<std::tuple<Nanoseconds, HostEntry*, TopicHosts*>> heartbeats;  // when each service was heard
  Nanoseconds begun_at = 0;     // when the services that were up before were believed; 0: they were not
  Nanoseconds facts_since = 0;  // an older report is out of date; time of the system clock; 0: none is
  Topics topics;
  Claims claims;
  std::optional<FactHistory> history;
  std::shared_ptr<const MomentState> newest;  // the last moment that was pinned, given out again while it is current
};

}  // namespace gantry::fleet
