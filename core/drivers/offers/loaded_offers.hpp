// SPDX-License-Identifier: Apache-2.0
//
// All that the libraries of one driver offer it, created, as it finds them through "gantry.offers/1". Internal to this
// folder.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/offers/loaded_offer.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/ext/offers.h"

namespace gantry::drivers {

// What creating an offer takes beside the driver's file.
struct OfferSurroundings {
  const config::DriverSettings& section;
  std::chrono::milliseconds timeout;  // of one create
  bool seal;                          // load a private copy of each library
  std::shared_ptr<telemetry::Logger> logger;
  std::shared_ptr<telemetry::Counters> counters;
};

class LoadedOffers {
 public:
  // [control] Loads the libraries of a judged driver and creates what they offer, in the order of the config and of
  // their manifests. The file is to stay where it is.
  static Result<std::unique_ptr<LoadedOffers>> load(const DriverFile& driver, const OfferSurroundings& surroundings);
  LoadedOffers() = default;  // none
  ~LoadedOffers();           // the last created is destroyed first
  LoadedOffers(const LoadedOffers&) = delete;
  LoadedOffers& operator=(const LoadedOffers&) = delete;

  const gantry_offers* table() const { return &table_; }

 private:
  Result<void> add(const DriverFile& driver, const DriverFile& library, const OfferSurroundings& surroundings);
  void list();

  std::vector<std::unique_ptr<LoadedOffer>> offers_;
  std::vector<gantry_offer_loaded> entries_;
  gantry_offers table_{};
};

}  // namespace gantry::drivers
