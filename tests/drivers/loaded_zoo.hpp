// SPDX-License-Identifier: Apache-2.0
//
// A driver of the zoo, copied to a trusted directory and loaded as the service would.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {

class LoadedZoo {
 public:
  explicit LoadedZoo(const std::string& name, config::Isolation isolation = config::Isolation::none) {
    // Only for the load, which takes a copy: a death test does not come back to remove it.
    const TrustedDirectory directory;
    directory.add(std::string(GANTRY_ZOO_DIRECTORY) + "/" + name + ".so", "zoo.so");
    settings_.scheduler_driver = {"zoo"};
    settings_.driver_directories = {directory.path().string()};
    settings_.drivers["zoo"].isolation = isolation;
    Result<DriverSet> set = load_drivers(settings_, telemetry::Logger::none(), counters_, {});
    if (set) set_.emplace(*std::move(set));
    if (!set) error_ = set.error().message;
  }

  // nullptr: it did not load, and error() says why.
  Driver* driver() const { return set_ ? set_->for_topic("compute") : nullptr; }
  const std::string& error() const { return error_; }
  const DriverSet& set() const { return *set_; }
  telemetry::Counters& counters() { return *counters_; }

 private:
  config::Settings settings_;
  std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  std::optional<DriverSet> set_;
  std::string error_;
};

}  // namespace gantry::drivers
