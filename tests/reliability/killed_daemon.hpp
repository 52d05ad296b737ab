// SPDX-License-Identifier: Apache-2.0
//
// A gantryd that is killed and started again: from outside at some moment, or by itself at a system call that touches
// the store's files.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::reliability {

struct KillPoint {
  std::string kind;        // of call: open, write, sync, truncate, unlink or rename; empty: any
  std::uint64_t call = 1;  // it ends at the call of this number that touches the store
  bool after = false;
};

class KilledDaemon {
 public:
  explicit KilledDaemon(std::chrono::seconds claim_max_age);

  const test::RunningGantry& gantry() const { return gantry_; }
  void set_claim_max_age(std::chrono::seconds age);  // from the next start on

  // Starts it and waits until it takes connections. False: its kill point came first. Throws if it ended by itself or
  // takes longer than three minutes.
  bool start(const std::optional<KillPoint>& point = {});
  // Waits for its kill point as long as that, then kills it from outside.
  void kill_within(std::chrono::milliseconds time);

  std::uint64_t starts() const { return starts_; }
  std::uint64_t kills() const { return kills_; }
  std::uint64_t kills_before_ready() const { return kills_before_ready_; }
  const std::map<std::string, std::uint64_t>& kills_by_point() const { return kills_by_point_; }
  const std::vector<double>& milliseconds_to_ready() const { return milliseconds_to_ready_; }

 private:
  void note_kill();

  test::RunningGantry gantry_;
  std::uint64_t starts_ = 0;
  std::uint64_t kills_ = 0;
  std::uint64_t kills_before_ready_ = 0;
  std::map<std::string, std::uint64_t> kills_by_point_;
  std::vector<double> milliseconds_to_ready_;
};

}  // namespace gantry::reliability
