// SPDX-License-Identifier: Apache-2.0
//
// All offers of the libraries of one driver, created, and their table for "gantry.offers/1". Internal to this folder.
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

// The input for creating offers beside the driver's file.
struct OfferSurroundings {
  const config::DriverSettings& section;
  std::chrono::milliseconds timeout;  // for each create
  bool seal;                          // true: load a private copy of each library
  std::shared_ptr<telemetry::Logger> logger;
  std::shared_ptr<telemetry::Counters> counters;
};

class LoadedOffers {
 public:
  // [control] Loads the libraries of a checked driver and creates their offers, in the order of the config and of the
  // manifests. The result refers to `driver`, which must not move.
  static Result<std::unique_ptr<LoadedOffers>> load(const DriverFile& driver, const OfferSurroundings& surroundings);
  LoadedOffers() = default;  // no offers
  ~LoadedOffers();           // destroys in reverse order of creation
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
