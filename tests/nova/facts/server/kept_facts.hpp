// SPDX-License-Identifier: Apache-2.0
//
// A test of a FactKeeper over a deployment with two cells. The databases of the cells are reached through links to the
// server's socket, so that a test can take one of them away.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/nova/facts/fact_keeper.hpp"
#include "tests/fleet/snapshot.hpp"
#include "tests/nova/facts/server/deployment.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {

// Keeps the lines of the log.
class KeptLog final : public telemetry::Logger {
 public:
  bool enabled(telemetry::Level) const override { return true; }
  void write(telemetry::Level level, std::string_view message, std::span<const telemetry::Field> fields) override;
  Result<void> reopen() override { return {}; }
  // Returns the lines that contain the text.
  std::vector<std::string> lines(std::string_view text) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

class KeptFacts : public Deployment {
 protected:
  using Clock = FactKeeper::Clock;

  void SetUp() override;

  // Starts the keeper with `settings`. A failure fails the test.
  void start();
  // Returns why the keeper does not start. Empty: it does.
  std::string failure_of_start();
  // Refreshes. Returns why that fails. Empty: it does not.
  std::string refresh(std::chrono::milliseconds patience = std::chrono::seconds(60));
  std::future<std::string> refresh_later(std::chrono::milliseconds patience = std::chrono::seconds(60));
  // Refreshes until `is_so` or a minute has passed. Returns whether it is so.
  bool comes_true(const std::function<bool()>& is_so);

  // Returns the row of a host as drivers see it. Empty if there is none.
  json::object row(const std::string& host, const std::string& node, std::chrono::seconds later = {});
  json::object row(const std::string& host) { return row(host, host); }
  bool has_row(const std::string& host) { return !row(host).empty(); }
  // Returns the instances that the host's row shows.
  std::vector<std::string> instances_on(const std::string& host);

  // Puts a service and a compute node into the cell that were made a day ago. The service was heard now.
  static void add_host(const std::string& database, const std::string& host);
  static std::string uuid_of_cell(int number);

  // Takes a cell's database away, and gives it back.
  void cut(int cell);
  void mend(int cell) const;
  static void close_all_connections();

  support::ScratchDirectory directory_;
  FactSettings settings_;
  fleet::Fleet fleet_{fleet::FleetSettings{}};
  std::shared_ptr<KeptLog> log_ = std::make_shared<KeptLog>();
  telemetry::Counters counters_;
  std::unique_ptr<FactKeeper> keeper_;  // last: its threads use the others

 private:
  std::string link(int cell) const { return directory_.path("cell" + std::to_string(cell)); }
};

}  // namespace gantry::nova
