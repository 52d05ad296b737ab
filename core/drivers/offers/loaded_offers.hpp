// SPDX-License-Identifier: Apache-2.0
//
// All offers (filters and weighers) of the libraries of one driver, created and ready. The driver gets their table as
// the extension "gantry.offers/1". Internal to this folder.
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

// The input of LoadedOffers::load beside the driver's file.
struct OfferSurroundings {
  const config::DriverSettings& section;  // [driver.<id>]
  std::chrono::milliseconds timeout;      // for each create
  bool seal;                              // true: load a private copy of each library
  std::shared_ptr<telemetry::Logger> logger;
  std::shared_ptr<telemetry::Counters> counters;
};

class LoadedOffers {
 public:
  // [control] Loads the libraries of a checked driver in the order of the config, and creates the offers of each
  // library in the order of its manifest. The result refers to `driver`, which must not move and must outlive the
  // result.
  static Result<std::unique_ptr<LoadedOffers>> load(const DriverFile& driver, const OfferSurroundings& surroundings);
  LoadedOffers() = default;  // no offers
  ~LoadedOffers();           // destroys the offers in reverse order of creation
  LoadedOffers(const LoadedOffers&) = delete;
  LoadedOffers& operator=(const LoadedOffers&) = delete;

  // Returns the table for the driver. Valid as long as the object.
  const gantry_offers* table() const { return &table_; }

 private:
  Result<void> add(const DriverFile& driver, const DriverFile& library, const OfferSurroundings& surroundings);
  void list();

  std::vector<std::unique_ptr<LoadedOffer>> offers_;
  std::vector<gantry_offer_loaded> entries_;
  gantry_offers table_{};
};

}  // namespace gantry::drivers
