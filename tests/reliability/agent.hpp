// SPDX-License-Identifier: Apache-2.0
//
// The agent of a few hosts: receives casts, drops the ones it has had, runs what it is told to run, says so and
// reports. What it knows outlives the daemon; now and then it forgets to acknowledge, as one that ends between two
// steps does.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/reliability/connection.hpp"
#include "tests/reliability/ledger.hpp"

namespace gantry::reliability {

struct HostSize {
  std::int64_t vcpus = 6;
  std::int64_t memory_mb = 4096;
  std::int64_t local_gb = 8;
};

class Agent {
 public:
  Agent(const std::vector<std::string>& hosts, HostSize size, const std::string& url, CallCounts& counts,
        Ledger& ledger, std::uint64_t seed);

  // Turns until stop() is called. [one thread]
  void run();
  void stop() { stopped_ = true; }              // [any thread]
  void be_careful() { is_careful_ = true; }     // acknowledges everything from now on [any thread]
  bool is_settled() const { return settled_; }  // nothing left to say [any thread]
  // host -> uuids that it runs. [any thread]
  std::map<std::string, std::set<std::string>> running() const;

 private:
  struct Use {
    std::int64_t vcpus = 0;
    std::int64_t memory_mb = 0;
    std::int64_t disk_gb = 0;
    bool is_active = false;  // the daemon knows that it runs
  };
  struct Host {
    std::map<std::string, Use> instances;
    std::int64_t sequence = 0;
    bool is_registered = false;
    bool is_stale = true;  // the last report no longer holds
    std::chrono::steady_clock::time_point reported;
  };
  void receive();
  void take(const json::object& cast);
  void begin(const std::string& name, const std::string& uuid, const json::object& cast_args);
  void check_room(const std::string& name, const Host& host) const;
  bool activate(Host& host);
  bool report(const std::string& name, Host& host);

  const HostSize size_;
  Connection connection_;
  Ledger& ledger_;
  std::mt19937_64 random_;
  mutable std::mutex mutex_;  // over hosts_, which this thread alone changes
  std::map<std::string, Host> hosts_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> is_careful_{false};
  std::atomic<bool> settled_{false};
};

}  // namespace gantry::reliability
