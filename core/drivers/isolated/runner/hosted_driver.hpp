// SPDX-License-Identifier: Apache-2.0
//
// The driver of a runner, with its libraries, and the calls into it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/runner/runner_lane.hpp"
#include "core/drivers/isolated/runner/runner_logger.hpp"
#include "core/drivers/isolated/runner_start.hpp"
#include "core/drivers/isolated/runner_status.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/options.hpp"
#include "core/drivers/offers/loaded_offers.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"

namespace gantry::drivers::isolated {

class HostedDriver {
 public:
  HostedDriver(std::shared_ptr<RunnerLogger> logger, bool is_confined);
  HostedDriver(const HostedDriver&) = delete;
  HostedDriver& operator=(const HostedDriver&) = delete;

  // [control] Gives up the files that the driver does not need, loads it and creates offers and driver. Call it once.
  Result<RunnerTraits> create(const RunnerStart& start);
  // [worker] Runs the call of a lane and sends its end.
  void run(const CallInput& input, RunnerLane& lane);
  // [control]
  void destroy();

 private:
  Result<void> open(const RunnerStart& start);
  bool give_up_other_files(const RunnerStart& start) const;
  Result<void> load();
  gantry_code run(const CallInput& input, gantry_call* call, std::vector<std::uint64_t>& result);
  std::vector<telemetry::Counters::Entry> added_counts();
  RunnerTraits traits() const;

  const std::shared_ptr<RunnerLogger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  config::DriverSettings section_;
  DriverFile file_;
  gantry_driver_ops ops_{};
  std::unique_ptr<HostServices> host_;
  std::unique_ptr<Options> options_;
  std::unique_ptr<LoadedOffers> offers_;
  gantry_driver* object_ = nullptr;
  const bool is_confined_;
  bool has_given_up_files_ = false;
  std::mutex sent_mutex_;
  std::map<std::string, std::uint64_t> sent_;  // the counters that the service has; guarded by sent_mutex_
};

}  // namespace gantry::drivers::isolated
