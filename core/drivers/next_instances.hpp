// SPDX-License-Identifier: Apache-2.0
//
// New options for drivers that are loaded: judged first, then given to a second instance of each driver, made by the code
// that is loaded. The files on disk are not read again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/creation_limit.hpp"
#include "core/drivers/driver_instances.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// The findings about the options that settings give to the drivers of a set.
struct OptionFindings {
  std::vector<Error> problems;        // each may have several lines
  std::vector<std::string> warnings;  // from option guards
};

// Judges as a start does (step 7 of driver_loader.hpp). Runs no code of a driver.
OptionFindings judge_options(const DriverSet& set, const config::Settings& settings);

// Makes the instances that shall hold next.
class NextInstances {
 public:
  NextInstances(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                std::shared_ptr<telemetry::Counters> counters)
      : settings_(settings), logger_(std::move(logger)), counters_(std::move(counters)) {}

  // Returns the instances that hold now, but a new one for each driver whose options or libraries are others in the
  // settings or whose options name a file that has changed, and for each whose own process has ended too often to be started again soon, if it can be created now.
  // Calls the create of these drivers and of their libraries' offers while their first instances go on. The settings must
  // have been judged. Error: a create with other options has failed or took longer than longest_creation, and nothing was
  // made. `late` is called once one takes longer.
  Result<std::shared_ptr<const DriverInstances>> make(const DriverSet& set, const Late& late) const;

 private:
  void replace_away(const std::string& id, Result<std::shared_ptr<DriverInstance>> made,
                    std::shared_ptr<DriverInstance>& instance) const;

  const config::Settings& settings_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
};

}  // namespace gantry::drivers
