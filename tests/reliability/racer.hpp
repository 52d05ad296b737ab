// SPDX-License-Identifier: Apache-2.0
//
// One of the clients of a race: asks for slots in every way there is, and gives them up.
#pragma once

#include <atomic>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "tests/reliability/race_run.hpp"
#include "tests/reliability/truth.hpp"

namespace gantry::reliability {

// What one slot of a round's hosts takes.
struct Slot {
  std::int64_t vcpus = 1;
  std::int64_t memory_mb = 512;
  std::int64_t disk_gb = 1;
};

// What all racers count and complain about. [any thread]
struct RaceCounts {
  std::atomic<std::uint64_t> decisions{0};
  std::atomic<std::uint64_t> placed{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> releases{0};
  std::atomic<std::uint64_t> reports{0};
  std::atomic<std::uint64_t> looks{0};
  std::mutex mutex;
  std::vector<std::string> wrong;
  std::vector<std::string> over_limits;
  std::vector<std::string> unusable;

  void note(std::vector<std::string>& into, std::string what) {
    const std::lock_guard lock(mutex);
    if (into.size() < 100) into.push_back(std::move(what));
  }
};

// Used by one thread.
class Racer {
 public:
  Racer(Ask ask, Truth& truth, RaceCounts& counts, std::uint64_t seed)
      : ask_(std::move(ask)), truth_(truth), counts_(counts), random_(seed) {}

  // keeps_listed: what a report has listed is not given up in this round.
  void begin(const Slot& slot, bool keeps_listed) {
    slot_ = slot;
    keeps_listed_ = keeps_listed;
  }
  void step();
  // One instance; false: there was no room.
  bool place_one();
  void give_up(const Holder& holder);

 private:
  json::object request(const std::vector<std::string>& uuids) const;
  Reply decide(const std::string& method, const std::vector<std::string>& uuids, const std::string& key = {});
  bool select(const std::vector<std::string>& uuids);
  bool schedule(const std::vector<std::string>& uuids);
  void schedule_twice();
  void select_again();
  void schedule_again();
  bool take_instances(const Reply& reply, bool is_repeat);

  Ask ask_;
  Truth& truth_;
  RaceCounts& counts_;
  std::mt19937_64 random_;
  Slot slot_;
  bool keeps_listed_ = false;
};

}  // namespace gantry::reliability
