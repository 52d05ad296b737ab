// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/offers/loaded_offers.hpp"

#include <utility>

#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/create_call.hpp"
#include "core/drivers/load/library.hpp"
#include "core/drivers/load/load_watch.hpp"
#include "core/drivers/offers/offers_entry.hpp"

namespace gantry::drivers {
namespace {

Result<const Library*> load_file(const std::string& driver, const DriverFile& file,
                                 const OfferSurroundings& surroundings) {
  const std::string operation = file.manifest.id + ", dlopen";
  const CrashNote note(driver, operation, {}, file.path);
  return load_library(file, surroundings.seal, *surroundings.logger);
}

// The note stays while the answer is read, which may point anywhere. noexcept: an exception ends the process here,
// where the crash report can still name the library.
Result<std::vector<const void*>> ask_entry(const std::string& driver, const DriverFile& file, const Library& library) {
  const std::string operation = file.manifest.id + ", gantry_offers_entry";
  const CrashNote note(driver, operation, {}, file.path);
  const auto entry = [&library]() noexcept { return library.offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); };
  return check_offers_info(file, entry());
}

}  // namespace

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
  const LoadWatch watch(surroundings.logger, "library", library.manifest.id, library.path);
  const std::string& id = driver.manifest.id;
  const Result<const Library*> loaded = load_file(id, library, surroundings);
  if (!loaded) return loaded.error();
  const auto tables = ask_entry(id, library, **loaded);
  if (!tables) return tables.error();
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
