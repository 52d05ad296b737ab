// SPDX-License-Identifier: Apache-2.0
//
// A client that boots and deletes servers, selects, and keeps groups and aggregates, noting in the ledger what it asks
// and is answered. What it was not answered about it never touches again.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/reliability/connection.hpp"
#include "tests/reliability/ledger.hpp"

namespace gantry::reliability {

// Used by one thread.
class Client {
 public:
  Client(std::string name, const std::string& url, CallCounts& counts, Ledger& ledger, std::vector<std::string> hosts,
         std::uint64_t seed);

  void step();

 private:
  struct Mine {
    std::string uuid;
    std::string host;  // empty: in error
  };
  struct Group {
    std::string name;
    FactState state;
  };
  struct Aggregate {
    std::string name;
    std::set<std::string> hosts;
    std::map<std::string, std::string> metadata;
  };
  int patience();
  bool chance(int of_a_hundred);
  std::size_t below(std::size_t bound);
  std::string new_name(const std::string& kind);
  json::object spec(const std::vector<std::string>& uuids, const std::string& group);
  bool refused(const std::string& what, const Answer& answer);

  void boot();
  void boot_by_name();
  void remove();
  void look();
  void select();
  void begin_group();
  void end_group();
  void begin_aggregate();
  void change_aggregate();
  void end_aggregate();

  const std::string name_;
  Connection connection_;
  Ledger& ledger_;
  const std::vector<std::string> hosts_;
  std::mt19937_64 random_;
  std::size_t names_ = 0;
  std::vector<Mine> servers_;
  std::vector<Group> groups_;
  std::vector<Aggregate> aggregates_;
};

// How a group or an aggregate is written in the ledger; of what the service shows, and of what a client means.
std::string fact_of_aggregate(const std::string& name, const std::set<std::string>& hosts,
                              const std::map<std::string, std::string>& metadata);
std::string fact_of_group(const std::string& name, const std::string& policy);
std::string shown_fact(const std::string& kind, const json::object& shown);

}  // namespace gantry::reliability
