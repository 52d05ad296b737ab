// SPDX-License-Identifier: Apache-2.0
//
// One of the two sides of a comparison: a fleet, and an instance of the driver, with the settings of one release.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/driver_instances.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"
#include "core/result.hpp"
#include "core/scheduling/decision/instance_decision.hpp"
#include "core/store/no_store.hpp"
#include "core/whatif/told_host.hpp"

namespace gantry::whatif {

// A chosen host.
struct Pick {
  std::uint32_t row = 0;
  std::optional<double> weight;
};

// The result of a request on one side.
struct Outcome {
  std::vector<std::optional<Pick>> picks;  // one an instance
  std::vector<std::string> reasons;        // by instance: why it has no pick
  std::vector<scheduling::Step> steps;
  std::optional<Error> failure;  // the request was not decided
};

// The parts that both sides share. They outlive them.
struct SharedParts {
  const drivers::DriverSet& drivers;
  std::shared_ptr<telemetry::Logger> logger;
  std::shared_ptr<telemetry::Counters> counters;
};

class Side {
 public:
  Side(std::string release, config::Settings settings);
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  const std::string& release() const { return release_; }
  const config::Settings& settings() const { return settings_; }
  // Declares the columns of the drivers and loads the fleet. Errors are those of Fleet::declare_column.
  Result<void> load(const std::vector<drivers::Manifest>& manifests, const fleet::Document& document);
  // From now on decides with these instances of the drivers.
  void begin(const SharedParts& parts, std::shared_ptr<const drivers::DriverInstances> instances, std::int64_t now);
  // Ends before the drivers do. The fleet stays.
  void end();

  const fleet::Moment& moment() const { return at_->moment; }
  const gantry_view& view() const { return *at_->moment.view("compute"); }

  // The request is the same for both sides: its instant, bounds and explanations are set for the call.
  Outcome decide(const scheduling::MethodCall& call, scheduling::InstanceRequest& request, std::uint64_t seed);
  // Returns what the driver says of a host, by instance, in the same decision.
  std::vector<std::optional<ToldHost>> tell(const scheduling::MethodCall& call, scheduling::InstanceRequest& request,
                                            std::uint64_t seed, std::uint32_t row);

 private:
  Result<std::unique_ptr<scheduling::InstanceDecision>> ask(const scheduling::MethodCall& call,
                                                            scheduling::InstanceRequest& request, std::uint64_t seed);

  const std::string release_;
  const config::Settings settings_;
  store::NoStore store_;
  fleet::Fleet fleet_;
  std::unique_ptr<scheduling::State> state_;
  std::optional<scheduling::Instant> at_;
};

}  // namespace gantry::whatif
