// SPDX-License-Identifier: Apache-2.0
//
// The state of a Driver. Internal to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/drivers/call/host_services.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/load/options.hpp"
#include "core/drivers/offers/loaded_offers.hpp"
#include "core/drivers/turns.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

struct Driver::State {
  State(DriverFile given, std::unique_ptr<HostServices> services, std::unique_ptr<Options> given_options,
        Turns::Bounds bounds, std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<TurnWatch> watch)
      : file(std::move(given)),
        host(std::move(services)),
        options(std::move(given_options)),
        turns(file.manifest.id, bounds, std::move(logger), std::move(watch)) {}

  DriverFile file;
  std::unique_ptr<HostServices> host;  // the driver may use the services until destroy
  std::unique_ptr<Options> options;
  std::unique_ptr<LoadedOffers> offers;  // the driver may use the offers until destroy
  gantry_driver_ops ops{};
  gantry_driver* instance = nullptr;  // the driver's own object, made by its create
  bool is_created = false;            // true if create has succeeded, so that destroy must run
  Turns turns;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> failures{0};
};

}  // namespace gantry::drivers
