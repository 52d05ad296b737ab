// SPDX-License-Identifier: Apache-2.0
//
// From a judged file to a driver that is ready, and from all of them to the set.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/judge/judge_drivers.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// judge, load, check the entry against the manifest, create. `prepare` is called with each manifest after it was judged
// and before any driver is created (fleet declares its columns there).
Result<DriverSet> load_drivers(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                               std::shared_ptr<telemetry::Counters> counters,
                               const std::function<Result<void>(const Manifest&)>& prepare);

// Internal to this folder from here on.
struct DriverSet::State {
  std::vector<std::unique_ptr<Driver>> drivers;
  std::map<std::string, Driver*, std::less<>> by_topic;
  std::vector<std::pair<std::string, Error>> skipped;
};

class DriverLoader {
 public:
  DriverLoader(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters);

  Result<DriverSet> load(const std::function<Result<void>(const Manifest&)>& prepare);

 private:
  // Judges again nothing: options and columns, then `prepare`.
  Result<void> admit(const Judged& judged, const std::function<Result<void>(const Manifest&)>& prepare);
  Result<std::unique_ptr<Driver>> start(DriverFile file) const;
  // What one driver's error means for all: nothing if it is not required.
  Result<void> skip_or_fail(DriverSet& set, const std::string& id, Error error) const;
  // Its offers first, then the driver.
  Result<void> create(Driver& driver) const;

  const config::Settings& settings_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  DriverCheck check_;
};

}  // namespace gantry::drivers
