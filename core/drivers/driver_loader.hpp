// SPDX-License-Identifier: Apache-2.0
//
// From a judged file to a driver that is ready, and from all of them to the set. Internal to this folder.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_check.hpp"

namespace gantry::drivers {

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
