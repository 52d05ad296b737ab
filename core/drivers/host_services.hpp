// SPDX-License-Identifier: Apache-2.0
//
// The table of services that one driver is given: log lines and counters in its name, and what a call offers.
#pragma once

#include <memory>
#include <string>

#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// [any thread] Stays where it is while the driver lives: the driver holds its address.
class HostServices : private gantry_host {
 public:
  HostServices(std::string driver, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters);
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const gantry_host* table() const { return this; }
  static const HostServices& of(const gantry_host* table) { return static_cast<const HostServices&>(*table); }

  const std::string& driver() const { return driver_; }
  telemetry::Logger& logger() const { return *logger_; }
  telemetry::Counters& counters() const { return *counters_; }

 private:
  const std::string driver_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
};

// Its parts; each fills in its own members of the table.
void add_call_services(gantry_host& table);    // log to scratch
void add_view_services(gantry_host& table);    // column to write
void add_list_services(gantry_host& table);    // append
void add_result_services(gantry_host& table);  // pick to cast

}  // namespace gantry::drivers
