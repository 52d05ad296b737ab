// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/offers/loaded_offers.hpp"

#include <utility>

#include "core/drivers/load/create_call.hpp"
#include "core/drivers/load/library.hpp"
#include "core/drivers/offers/offers_entry.hpp"

namespace gantry::drivers {

Result<std::unique_ptr<LoadedOffers>> LoadedOffers::load(const DriverFile& driver,
                                                         const OfferSurroundings& surroundings) {
  auto loaded = std::make_unique<LoadedOffers>();
  for (const DriverFile& library : driver.offer_libraries) {
    if (Result<void> added = loaded->add(driver, library, surroundings); !added) return std::move(added).error();
  }
  loaded->list();
  return loaded;
}

LoadedOffers::~LoadedOffers() {
  while (!offers_.empty()) offers_.pop_back();
}

Result<void> LoadedOffers::add(const DriverFile& driver, const DriverFile& library,
                               const OfferSurroundings& surroundings) {
  const Result<const Library*> loaded = load_library(library, surroundings.seal, *surroundings.logger);
  if (!loaded) return loaded.error();
  const auto tables = check_offers_info(library, (*loaded)->offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
  if (!tables) return tables.error();
  const std::string& id = driver.manifest.id;
  for (std::size_t index = 0; index < tables->size(); ++index) {
    const OfferDeclaration& declared = library.manifest.offers[index];
    const auto set = surroundings.section.offers.find(declared.name);
    const config::OfferSettings nothing_set;
    const auto& options = set == surroundings.section.offers.end() ? nothing_set : set->second;
    auto offer = std::make_unique<LoadedOffer>(
        id, library, declared, (*tables)[index],
        std::make_unique<HostServices>(id, surroundings.logger, surroundings.counters, declared.name),
        std::make_unique<Options>(declared.options, options.options));
    CreateCall call(surroundings.timeout);
    if (Result<void> created = offer->create(call); !created) return created;
    offers_.push_back(std::move(offer));
  }
  surroundings.logger->write(telemetry::Level::info, "The library is ready",
                             {{"driver", id},
                              {"library", library.manifest.id},
                              {"version", library.manifest.version},
                              {"path", library.path},
                              {"sha256", library.sha256}});
  return {};
}

void LoadedOffers::list() {
  entries_.reserve(offers_.size());
  for (const auto& offer : offers_) entries_.push_back(offer->entry());
  table_.struct_size = sizeof(table_);
  table_.offer_count = static_cast<std::uint32_t>(entries_.size());
  table_.offers = entries_.data();
  table_.offer_stride = sizeof(gantry_offer_loaded);
}

}  // namespace gantry::drivers
