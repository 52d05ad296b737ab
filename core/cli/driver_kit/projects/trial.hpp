// SPDX-License-Identifier: Apache-2.0
//
// One trial of a driver after another, in the private directory of `gantry driver dev`: load the file, let a fleet report,
// make a request, show the answer.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/agent/child_process.hpp"
#include "core/cli/driver_kit/projects/trial_daemon.hpp"
#include "core/cli/driver_kit/projects/trial_place.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

struct TrialWishes {
  std::string request;           // a request file; empty: a small request
  std::string fleet;             // a simulation file; empty: one that suits the driver
  std::string sanitizer;         // address, undefined or empty
  std::filesystem::path policy;  // a policy in Lua that the driver lua runs; otherwise empty
};

class Trial {
 public:
  Trial(Session& session, TrialPlace& place, TrialWishes wishes, const std::stop_token& stop)
      : session_(session), place_(place), wishes_(std::move(wishes)), stop_(stop) {}

  // Loads the file in a daemon of its own, in the place of the one before, and prints the answer of the request. If the
  // file is refused, the daemon of before goes on. Returns the exit code of the request.
  Result<int> run(const drivers::DriverFile& file);

  // Returns how the daemon has ended, if it has ended by itself. Empty: it works, or there is none.
  std::string lost_daemon();

 private:
  Result<void> check();
  Result<void> start();
  Result<void> report();
  Result<int> request(const drivers::DriverFile& file);
  Result<agent::ChildResult> gantry(std::vector<std::string> words) const;
  bool answers() const;
  bool has_lost_daemon() const;  // waits for a daemon that is about to end
  std::vector<std::string> daemon_settings() const;
  std::map<std::string, std::string> environment() const;

  Session& session_;
  TrialPlace& place_;
  const TrialWishes wishes_;
  const std::stop_token stop_;
  std::unique_ptr<TrialDaemon> daemon_;
};

}  // namespace gantry::cli
