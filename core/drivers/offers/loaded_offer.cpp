// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/offers/loaded_offer.hpp"

#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/load/crash_report.hpp"

namespace gantry::drivers {
namespace {

OfferTable table_of(const std::string& kind, const void* table) {
  if (kind == GANTRY_FILTER_KIND) return known_part(*static_cast<const gantry_filter_ops*>(table));
  return known_part(*static_cast<const gantry_weigher_ops*>(table));
}

}  // namespace

LoadedOffer::LoadedOffer(const std::string& driver, const DriverFile& library, const OfferDeclaration& declared,
                         const void* table, std::unique_ptr<HostServices> host, std::unique_ptr<Options> options)
    : driver_(driver),
      library_(library),
      declared_(declared),
      name_(declared.name + " of " + library.manifest.id),
      operations_{operation(declared.kind == GANTRY_FILTER_KIND ? "keep" : "weigh"), operation("limits"),
                  operation("reason")},
      own_(table_of(declared.kind, table)),
      shown_(guard(own_)),
      host_(std::move(host)),
      options_(std::move(options)) {
  needs_.reserve(declared.needs.size());
  for (const ColumnUse& column : declared.needs) needs_.push_back(to_abi(column.name));
}

// noexcept in both: what leaves a library in spite of the ABI ends the process where the crash report can name it.
LoadedOffer::~LoadedOffer() {
  if (!is_created_) return;
  const std::string what = operation("destroy");
  const CrashNote note(driver_, what, {}, library_.path);
  const auto destroy = [this](const auto& table) noexcept { table.destroy(instance_); };
  std::visit(destroy, own_);
}

Result<void> LoadedOffer::create(CreateCall& call) {
  const std::string what = operation("create");
  const CrashNote note(driver_, what, {}, library_.path);
  const auto create = [&](const auto& table) noexcept {
    return table.create(host_->table(), call.handle(), options_->table(), &instance_);
  };
  const gantry_code code = std::visit(create, own_);
  is_created_ = code == GANTRY_OK;
  return call.outcome(code, driver_, what, library_.path);
}

gantry_offer_loaded LoadedOffer::entry() {
  gantry_offer_loaded entry{};
  entry.kind = to_abi(declared_.kind);
  entry.name = to_abi(declared_.name);
  entry.library = to_abi(library_.manifest.id);
  entry.version = to_abi(library_.manifest.version);
  entry.help = to_abi(declared_.help);
  entry.table = std::visit([](const auto& table) -> const void* { return &table; }, shown_);
  entry.instance = reinterpret_cast<gantry_offered*>(this);
  entry.options = options_->table();
  entry.needs = {needs_.data(), needs_.size()};
  return entry;
}

std::string LoadedOffer::operation(std::string_view name) const {
  return name_ + ", " + std::string(name);
}

}  // namespace gantry::drivers
