// SPDX-License-Identifier: Apache-2.0
//
// The state of a Driver. Internal to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_instance.hpp"
#include "core/drivers/load/fatal_requests.hpp"
#include "core/drivers/turns.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

struct Driver::State {
  State(DriverFile given, Turns::Bounds bounds, std::shared_ptr<telemetry::Logger> logger,
        std::shared_ptr<TurnWatch> watch, std::shared_ptr<FatalRequests> requests)
      : file(std::move(given)),
        turns(file.manifest.id, bounds, std::move(logger), std::move(watch)),
        fatal_requests(std::move(requests)) {}

  const DriverFile file;
  gantry_driver_ops ops{};
  mutable std::mutex mutex;  // guards `instance`
  std::shared_ptr<DriverInstance> instance;
  Turns turns;  // for the calls of all instances: they have the same code, and a serial driver's run one at a time
  const std::shared_ptr<FatalRequests> fatal_requests;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> failures{0};
};

}  // namespace gantry::drivers
