// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_instance.hpp"

#include <utility>

#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/create_call.hpp"
#include "core/drivers/policy.hpp"

namespace gantry::drivers {

DriverInstance::DriverInstance(const DriverFile& file, const gantry_driver_ops& ops,
                               const OfferSurroundings& surroundings)
    : file_(file),
      ops_(ops),
      policy_(policy_of(file, surroundings.section)),
      option_files_(stamps_of(option_paths(surroundings.section))),
      host_(file.manifest.id, surroundings.logger, surroundings.counters),
      options_(file.manifest, surroundings.section) {}

// noexcept in both: what leaves a driver in spite of the ABI ends the process here, where the crash report can still
// name it.
DriverInstance::~DriverInstance() {
  if (!is_created_) return;
  const CrashNote note(file_.manifest.id, "destroy", {});
  const auto destroy = [this]() noexcept { ops_.destroy(object_); };
  destroy();
}

Result<std::shared_ptr<DriverInstance>> DriverInstance::create(const DriverFile& file, const gantry_driver_ops& ops,
                                                               const OfferSurroundings& surroundings) {
  if (isolated::runs_apart(file.manifest, surroundings.section)) return create_isolated(file, surroundings);
  auto made = std::make_shared<DriverInstance>(file, ops, surroundings);
  Result<std::unique_ptr<LoadedOffers>> offers = LoadedOffers::load(file, surroundings);
  if (!offers) return std::move(offers).error();
  made->offers_ = *std::move(offers);
  made->host_.set_offers(made->offers_->table());
  const std::string& id = file.manifest.id;
  CreateCall call(surroundings.timeout);
  const CrashNote note(id, "create", {}, file.path);
  const auto run = [&]() noexcept {
    return made->ops_.create(made->host_.table(), call.handle(), made->options_.table(), &made->object_);
  };
  const gantry_code code = run();
  made->is_created_ = code == GANTRY_OK;
  if (Result<void> created = call.outcome(code, id, "create", file.path); !created) return std::move(created).error();
  return made;
}

Result<std::shared_ptr<DriverInstance>> DriverInstance::create_isolated(const DriverFile& file,
                                                                        const OfferSurroundings& surroundings) {
  auto made = std::make_shared<DriverInstance>(file, gantry_driver_ops{}, surroundings);
  auto isolated = isolated::IsolatedDriver::start(file, *made->host_.table(), surroundings);
  if (!isolated) return std::move(isolated).error();
  made->isolated_ = *std::move(isolated);
  made->ops_ = made->isolated_->operations();
  made->object_ = made->isolated_->object();
  return made;
}

}  // namespace gantry::drivers
