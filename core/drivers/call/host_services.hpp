// SPDX-License-Identifier: Apache-2.0
//
// The table of services that one driver, or one offer, is given: log lines and counters in its name, and what a call
// offers.
#pragma once

#include <memory>
#include <string>

#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"
#include "gantry/ext/changes.h"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// [any thread] Stays where it is while the driver or offer lives: it holds its address.
class HostServices : private gantry_host {
 public:
  // `offer`: the name of a filter or weigher that the driver uses; empty: the driver's own services.
  HostServices(std::string driver, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters, std::string offer = {});
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const gantry_host* table() const { return this; }
  static const HostServices& of(const gantry_host* table) { return static_cast<const HostServices&>(*table); }

  const std::string& driver() const { return driver_; }
  const std::string& offer() const { return offer_; }
  // What extension answers for "gantry.offers/1"; NULL until it is set.
  const gantry_offers* offers() const { return offers_; }
  void set_offers(const gantry_offers* offers) { offers_ = offers; }
  telemetry::Logger& logger() const { return *logger_; }
  telemetry::Counters& counters() const { return *counters_; }

 private:
  const std::string driver_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  const std::string offer_;
  const gantry_offers* offers_ = nullptr;
};

// Its parts; each fills in its own members of the table.
void add_call_services(gantry_host& table);    // log to scratch
void add_view_services(gantry_host& table);    // column to write
void add_list_services(gantry_host& table);    // append
void add_result_services(gantry_host& table);  // pick to cast
void add_explanation_services(gantry_host& table);
// What extension answers for "gantry.changes/1".
const gantry_changes* changes_table();
// Of an offer's table: what only a driver may do.
void refuse_what_is_the_drivers(gantry_host& table);

}  // namespace gantry::drivers
