// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/subject.hpp"

#include <stdexcept>

#include "core/drivers/load/entry.hpp"
#include "core/drivers/load/library.hpp"
#include "core/drivers/offers/offers_entry.hpp"

namespace gantry::conformance {
namespace {

std::vector<drivers::ColumnUse> all_columns(const std::vector<drivers::ColumnUse>& needs,
                                            const std::vector<drivers::ColumnUse>& uses,
                                            const std::vector<drivers::OptionDeclaration>& options) {
  std::vector<drivers::ColumnUse> all = needs;
  all.insert(all.end(), uses.begin(), uses.end());
  for (const auto& option : options) all.insert(all.end(), option.columns.begin(), option.columns.end());
  return all;
}

}  // namespace

std::string Subject::topic() const {
  if (!manifest().topics.empty()) return manifest().topics.front();
  return manifest().methods.empty() ? "compute" : manifest().methods.begin()->first;
}

bool Subject::is_methods_alone() const {
  return operations_.struct_size != 0 && operations_.select_destinations == nullptr;
}

const std::vector<Unit>& Subject::units() {
  if (!units_.empty()) return units_;
  // The rule fails with this sentence: the process of the rule catches the exception.
  if (auto loaded = load(); !loaded) throw std::runtime_error(loaded.error().message);
  return units_;
}

Result<void> Subject::load() {
  auto library = drivers::load_library(file_, false, *telemetry::Logger::none());
  if (!library) return std::move(library).error();
  if (!is_library()) {
    auto operations = drivers::check_entry(file_, **library);
    if (!operations) return std::move(operations).error();
    operations_ = *operations;
    const drivers::Manifest& told = manifest();
    units_.push_back({.name = told.id,
                      .driver = &operations_,
                      .needs = told.needs,
                      .columns = all_columns(told.needs, told.uses, told.options),
                      .options = told.options,
                      .is_reentrant = told.threads == drivers::Threads::reentrant,
                      .decides_from_history = told.decides_from == drivers::DecidesFrom::history});
    return {};
  }
  auto tables = drivers::check_offers_info(file_, (*library)->offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
  if (!tables) return std::move(tables).error();
  for (std::size_t index = 0; index < tables->size(); ++index) {
    const drivers::OfferDeclaration& offer = manifest().offers[index];
    units_.push_back({.name = offer.name,
                      .offer = (*tables)[index],
                      .declared = &offer,
                      .needs = offer.needs,
                      .columns = all_columns(offer.needs, offer.uses, offer.options),
                      .options = offer.options,
                      .is_reentrant = offer.threads == drivers::Threads::reentrant});
  }
  return {};
}

}  // namespace gantry::conformance
