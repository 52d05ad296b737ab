// SPDX-License-Identifier: Apache-2.0
//
// What clients asked for and were answered, and what agents received. It outlives every kill of the daemon, and what is
// found after one is held against it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::reliability {

enum class Boot { unanswered, placed, failed, never };
enum class Deletion { none, unanswered, answered };

struct Server {
  std::string uuid;
  std::size_t request = 0;  // the call that asked for it; all servers of one are there or none is
  std::string group;        // empty: none
  Boot boot = Boot::unanswered;
  std::string host;
  Deletion deletion = Deletion::none;
  bool is_orphan = false;  // there, but whoever asked for it or its end has given it up
};

struct Delivery {
  std::string id;
  std::string method;
  std::string host;
};

// A group or an aggregate, which one client alone changes. nullopt: it is not there.
using FactState = std::optional<std::string>;
struct Fact {
  std::string kind;  // "group" or "aggregate"
  std::string name;
  std::vector<FactState> may_be;  // two while, or since, a change of it is unanswered
};

// What a run of the test found wrong; one sentence each.
struct Findings {
  std::vector<std::string> lost;
  std::vector<std::string> doubled;
  std::vector<std::string> wrong;  // over a limit, half done, an answer that cannot be
  bool none() const { return lost.empty() && doubled.empty() && wrong.empty(); }
};

struct Progress {
  std::uint64_t placed = 0;
  std::uint64_t without_host = 0;
  std::uint64_t deleted = 0;
  std::uint64_t delivered = 0;
  std::uint64_t repeats = 0;
};

// [any thread]
class Ledger {
 public:
  // ---- servers. A call is noted before it is made, and again with its answer; unanswered stays as asked.
  void boot_asked(const std::vector<std::string>& uuids, const std::string& group);
  void boot_answered(const json::array& instances);
  // One server that the service makes a uuid for; the client knows it by its name alone until it is answered.
  void named_boot_asked(const std::string& name);
  // From an answer, or found after a call without one.
  void named_boot_decided(const std::string& name, const std::string& uuid);
  void named_boot_never(const std::string& name);
  void deletion_asked(const std::string& uuid);
  void deletion_answered(const std::string& uuid);
  bool is_deletion_asked(const std::string& uuid) const;
  // After a look at what is there: a call that was not answered has been decided.
  void decide(const std::string& uuid, Boot boot, const std::string& host);
  void decide(const std::string& uuid, Deletion deletion);

  // ---- casts. False: the agent has had this one before and drops it.
  bool received(const std::string& host, const std::string& id, const std::string& method, const std::string& uuid);

  // ---- reports
  void report_answered(const std::string& host, std::int64_t sequence);

  // ---- groups and aggregates
  void fact(const std::string& kind, const std::string& name, std::vector<FactState> may_be);

  void complain(std::string what);  // one more Findings::wrong
  void lost(std::string what);
  void doubled(std::string what);

  struct Content {
    std::map<std::string, Server> servers;                      // by uuid
    std::map<std::string, std::string> named;                   // name -> uuid; empty: not answered
    std::map<std::string, std::vector<Delivery>> deliveries;    // by uuid, each cast once
    std::map<std::string, std::int64_t> reports;                // host -> the number of the last one answered
    std::map<std::pair<std::string, std::string>, Fact> facts;  // by kind and name
    Findings findings;
    Progress progress;
  };
  Content content() const;

 private:
  mutable std::mutex mutex_;
  Content content_;
  std::set<std::string> cast_ids_;
  std::size_t requests_ = 0;
};

}  // namespace gantry::reliability
