// SPDX-License-Identifier: Apache-2.0
//
// What the service must answer, as simple as it can be said: the facts in plain maps, and for each method a rule that
// judges an answer and takes the call's effect into the facts. Where the service may choose (a host, an id), the rule
// checks the choice and adopts it. Time is no part of it: services live, and claims hold, for as long as a sequence
// runs, and no failure of a build is forgotten for its age.
//
// A new method needs a rule in rules() and a line in Generator::kinds().
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/scheduling/manager.hpp"
#include "tests/model/step.hpp"

namespace gantry::model {

using scheduling::Reply;

// What is wrong with an answer; empty: nothing.
using Complaint = std::string;

struct HostNode {
  std::string host;
  std::string node;  // empty: none
  auto operator<=>(const HostNode&) const = default;
};

struct ServiceFact {
  std::string binary;
  bool disabled = false;
  std::string reason;
  bool forced_down = false;
  std::int64_t reports = 0;
  bool is_up() const { return !forced_down; }
};

struct AggregateFact {
  std::string name;
  std::string uuid;
  std::map<std::string, std::string> metadata;
  std::vector<std::string> hosts;
  std::string zone() const;
};

struct GroupFact {
  std::string name;
  std::string policy;
  json::object rules;
  std::vector<std::string> members;
};

struct InstanceFact {
  std::string name;
  std::string project;
  std::string host;
  std::string node;
  std::string vm_state;
  std::string task_state;
  std::string fault;
  json::object flavor;
  std::int64_t launch_index = 0;
  bool has_been_active = false;
};

struct Amounts {
  double vcpu = 0;
  double memory_mb = 0;
  double disk_gb = 0;
};

struct ClaimFact {
  Amounts amounts;
  json::object limits;
  bool durable = false;
  bool cast_waits = false;
  std::string group = {};  // uuid: the claim makes its consumer a member
};

struct CastFact {
  std::string host;
  std::string node;
  std::string method;
  std::string consumer;  // of the claim that waits for it
  std::string instance;
  std::int64_t attempts = 0;  // since the start
  std::optional<std::chrono::steady_clock::time_point> handed_out;
};

using TopicHost = std::pair<std::string, std::string>;
// consumer, host, node; all of them on topic compute
using ClaimName = std::tuple<std::string, std::string, std::string>;

struct Asked {
  std::string method;
  json::object args;
  std::string key;
  std::chrono::steady_clock::time_point began;
};

class Model {
 public:
  // `by_room`: the driver places by room (simple); else on any host that is up (chance).
  explicit Model(bool by_room) : has_limits(by_room) {}

  using Rule = std::function<Complaint(Model&, const Asked&, const Reply&)>;
  static std::map<std::string, Rule> rules();

  // Judges the answer to a call and takes its effect.
  Complaint take(const Asked& asked, const Reply& reply);
  // What does not survive a restart is forgotten.
  void restart();
  // The id that a step means by {"$cast": n}.
  std::string cast_at(std::int64_t number) const;
  // The instance that a step means by {"$building": n}.
  std::string building_at(std::int64_t number) const;

  // ---- what follows from the facts
  struct Row {
    HostNode name;
    const json::object* stats;  // nullptr: never reported
  };
  std::vector<Row> rows(const std::string& topic) const;
  std::optional<HostNode> resolve(const std::string& topic, const HostNode& name) const;
  // On which row of compute a claim stands.
  std::optional<HostNode> row_of(const ClaimName& claim) const;
  Amounts claimed_on(const HostNode& row) const;
  std::set<std::string> instances_on(const HostNode& row) const;
  std::string zone_of(const std::string& host) const;
  bool is_usable(const HostNode& row) const;  // up and enabled
  // Room for one more, if `placed` of that size stand there beside what is claimed.
  bool has_room(const Row& row, const Amounts& amounts, std::size_t placed) const;
  std::vector<ClaimName> claims_of(const std::string& consumer) const;
  std::vector<std::string> casts_of(const std::string& consumer) const;
  std::size_t release_all(const std::string& consumer);
  // The members of a group, by their uuids: its own, and the consumers of claims that were made for it.
  std::set<std::string> members_of(const std::string& group) const;
  // Whether a record, a claim or a report knows the instance.
  bool knows(const std::string& instance) const;
  void leave_groups(const std::string& instance);
  // Whether the host has failed so many builds of the flavor that it is used last for it.
  bool is_avoided(const std::string& host, const std::string& flavor) const;

  // ---- facts
  bool has_limits;
  std::map<TopicHost, ServiceFact> services;
  std::map<TopicHost, json::object> capabilities;
  std::map<std::string, std::map<HostNode, json::object>> nodes;  // by topic
  std::map<std::int64_t, AggregateFact> aggregates;
  std::map<std::string, GroupFact> groups;  // by uuid
  std::map<std::string, InstanceFact> instances;
  std::map<ClaimName, ClaimFact> claims;
  std::map<std::string, CastFact> casts;  // by id
  // Since the host has last built one: by the flavor's name and the host.
  std::map<std::pair<std::string, std::string>, std::size_t> failed_builds;
  std::vector<CastFact> unseen_casts;  // their ids are not known yet
  std::map<std::string, Rule> rule_of = rules();
  bool claimed = false;  // by the call that is judged

 private:
  struct Kept {
    std::string call;
    std::string answer;
  };
  std::map<std::string, Kept> kept_;  // by idempotency key
};

// Each adds the rules of one subject.
void add_service_rules(std::map<std::string, Model::Rule>& rules);
void add_host_rules(std::map<std::string, Model::Rule>& rules);
void add_aggregate_rules(std::map<std::string, Model::Rule>& rules);
void add_group_rules(std::map<std::string, Model::Rule>& rules);
void add_instance_rules(std::map<std::string, Model::Rule>& rules);
void add_placement_rules(std::map<std::string, Model::Rule>& rules);
void add_cast_rules(std::map<std::string, Model::Rule>& rules);
void add_import_rules(std::map<std::string, Model::Rule>& rules);

// ---- for rules
std::string text(const json::object& object, std::string_view key);
json::object without(json::object object, std::initializer_list<std::string_view> keys);
Complaint expect_error(const Reply& reply, ErrorCode code);
Complaint expect_same(const json::value& found, const json::value& expected);
Complaint expect_answer(const Reply& reply, const json::value& expected);
Complaint expect_success(const Reply& reply);
std::string text_of(const Reply& reply);

}  // namespace gantry::model
