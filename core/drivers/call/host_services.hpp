// SPDX-License-Identifier: Apache-2.0
//
// The table of services (gantry_host) that the host gives to one driver or one offer. An offer is a filter or weigher
// of a library that the driver calls. Log lines and counters from the table have the driver's name.
#pragma once

#include <memory>
#include <string>

#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"
#include "gantry/ext/ask.h"
#include "gantry/ext/candidates.h"
#include "gantry/ext/changes.h"
#include "gantry/ext/explain.h"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// [any thread] Cannot move while the driver or offer lives, because the driver holds its address.
class HostServices : private gantry_host {
 public:
  // `offer`: the name of a filter or weigher of the driver. Empty for the driver itself.
  HostServices(std::string driver, std::shared_ptr<telemetry::Logger> logger,
               std::shared_ptr<telemetry::Counters> counters, std::string offer = {});
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const gantry_host* table() const { return this; }
  static const HostServices& of(const gantry_host* table) { return static_cast<const HostServices&>(*table); }

  const std::string& driver() const { return driver_; }
  const std::string& offer() const { return offer_; }
  // The table that the driver gets as the extension "gantry.offers/1". NULL until set_offers.
  const gantry_offers* offers() const { return offers_; }
  void set_offers(const gantry_offers* offers) { offers_ = offers; }
  telemetry::Logger& logger() const { return *logger_; }
  const std::shared_ptr<telemetry::Logger>& shared_logger() const { return logger_; }
  telemetry::Counters& counters() const { return *counters_; }

 private:
  const std::string driver_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  const std::string offer_;
  const gantry_offers* offers_ = nullptr;
};

// Each function sets a range of members of the table. The range has the order of gantry_host.
// host_services_<part>.cpp implements the functions of a range.
void add_call_services(gantry_host& table);    // the members from `log` to `scratch`, in host_services.cpp
void add_view_services(gantry_host& table);    // the members from `column` to `write`
void add_list_services(gantry_host& table);    // the member `append`
void add_result_services(gantry_host& table);  // the members from `pick` to `cast`
// Return the tables of the extensions "gantry.ask/1", "gantry.changes/1", "gantry.candidates/1" and "gantry.explain/1".
const gantry_ask_services* ask_table();
const gantry_changes* changes_table();
const gantry_candidate_services* candidates_table();
const gantry_explain* explain_table();
// For the table of an offer: replaces the services that only a driver may use by functions that fail.
void refuse_what_is_the_drivers(gantry_host& table);

}  // namespace gantry::drivers
