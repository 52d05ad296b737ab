// SPDX-License-Identifier: Apache-2.0
//
// The health of a connection to the broker, for the log and for operators.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// [any thread]
class BrokerHealth {
 public:
  // `purpose`: "requests" or "answers".
  BrokerHealth(std::string purpose, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters);

  void on_up(const std::string& broker);
  // Logs each reason once, until a connection is there again: several brokers that are tried in turn have one each.
  void on_down(const std::string& reason);
  void on_blocked(const std::string& reason);
  void on_unblocked();

  bool is_up() const;
  std::string broker() const;  // empty: there is none
  // Returns since when something is wrong and why. Empty if all is well.
  std::string trouble() const;

 private:
  struct Trouble {
    std::chrono::system_clock::time_point since;
    std::string reason;
  };

  const std::string purpose_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  mutable std::mutex mutex_;
  std::string broker_;
  std::optional<Trouble> away_;
  std::set<std::string> reasons_;  // that are logged
  std::optional<Trouble> blocked_;
};

}  // namespace gantry::nova
