// SPDX-License-Identifier: Apache-2.0
//
// What a Fleet holds. Everything here is under its one mutex.
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
#include "core/fleet/fleet.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

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

struct Fleet::State {
  explicit State(FleetSettings its_settings);

  // Made at its first mention, with every declared column.
  TopicHosts& topic(std::string_view name);
  TopicHosts* find_topic(std::string_view name) const;
  HostEntry* find_host(std::string_view topic, std::string_view host) const;
  void add_claims_resource(std::string_view resource);

  // ---- time
  // Services and claims as they are at that time; may go back, but claims that ended stay ended.
  void advance(Nanoseconds now);
  void move_clock(Nanoseconds now);
  void end_old_claims(Nanoseconds now, std::vector<Claim>& ended);
  void note_heartbeat(TopicHosts& topic, HostEntry& host, Nanoseconds last_seen_up);
  void forget_heartbeat(TopicHosts& topic, HostEntry& host);
  Nanoseconds next_heartbeat_event() const;

  // ---- claims
  ClaimRecord& add_claim(const Claim& claim);
  ClaimRecord& add_claim(const Claim& claim, std::vector<Claim> beneath);
  Claim remove_claim(ClaimRecord& record);
  // The record that is the claim of that serial, or has it beneath.
  ClaimRecord* holder_of(const Claim& claim) const;
  void release(const Claim& claim);
  void change_claim(ClaimRecord& record, const Claim& claim);  // its promises and serial, not what it holds
  ClaimRecord* find_claim(std::string_view consumer, std::string_view topic, std::string_view host,
                          std::string_view node) const;
  void age(ClaimRecord& record);
  void end_reported_claims(const ComputeNode& report, const RowState& row, std::vector<Claim>& ended);

  // ---- instances
  InstanceRecord* find_instance(const gantry_uuid& uuid) const;
  void place(InstanceRecord& record);
  void displace(InstanceRecord& record);
  const RowState* locate(const gantry_uuid& instance) const;
  // Whether an instance may go to that host: where the others are is judged.
  bool keeps(const GroupBound& bound, const HostEntry& host, std::string_view consumer) const;

  // ---- aggregates
  void join(std::int64_t aggregate, const std::string& host);
  void leave(std::int64_t aggregate, const std::string& host);

  // ---- moments
  bool newest_is_current() const;

  mutable std::mutex mutex;
  FleetSettings settings;
  std::vector<ColumnDeclaration> declared_columns;
  std::vector<std::string> claims_resources;  // beyond the core's
  TextPool texts;
  Nanoseconds clock;
  Nanoseconds fresh_since;
  Nanoseconds next_event;  // before it nothing changes by the mere passing of time
  std::map<std::int64_t, Aggregate> aggregates;
  std::map<std::string, Group, std::less<>> groups;
  std::set<std::pair<std::string, std::string>> group_names;  // name, uuid
  boost::unordered_flat_set<std::unique_ptr<InstanceRecord>, InstanceHash, InstanceEqual> instances;
  std::unordered_map<std::string, std::vector<std::unique_ptr<ClaimRecord>>> claims;  // by consumer key
  std::uint64_t claims_made = 0;
  std::uint64_t last_serial = 0;
  std::set<std::uint64_t> given_back;  // serials of claims that had ended before they were given back; the latest
  std::set<std::tuple<Nanoseconds, std::uint64_t, ClaimRecord*>> aging;  // claims by created_at
  std::vector<Claim> ended_unseen;  // by pin, or replaced; for expire_claims to hand out
  std::set<std::tuple<Nanoseconds, HostEntry*, TopicHosts*>> heartbeats;
  std::map<std::string, std::unique_ptr<TopicHosts>, std::less<>> topics;
  std::shared_ptr<const MomentState> newest;
};

// The consumer; a UUID in lower case.
std::string consumer_key(std::string_view consumer);
// A time so much later, at most the latest there is.
Nanoseconds later_by(Nanoseconds time, Nanoseconds by);

}  // namespace gantry::fleet
