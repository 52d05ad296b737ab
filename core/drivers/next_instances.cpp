// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/next_instances.hpp"

#include <atomic>
#include <utility>

#include "core/drivers/driver_instance.hpp"
#include "core/drivers/driver_state.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/drivers/load/load_watch.hpp"
#include "core/drivers/policy.hpp"

namespace gantry::drivers {
namespace {

config::DriverSettings section_of(const config::Settings& settings, const std::string& id) {
  const auto found = settings.drivers.find(id);
  return found == settings.drivers.end() ? config::DriverSettings() : found->second;
}

// Whether the process of the instance has ended so often that no other is started soon.
bool is_away(const DriverInstance& instance) {
  if (instance.isolated() == nullptr) return false;
  return instance.isolated()->status().state == isolated::RunnerState::waiting;
}

}  // namespace

OptionFindings judge_options(const DriverSet& set, const config::Settings& settings) {
  OptionFindings found;
  const auto add = [&found](Result<void> checked) {
    if (!checked) found.problems.push_back(std::move(checked).error());
  };
  for (const Driver* driver : set.all()) {
    const auto& manifest = driver->manifest();
    const auto section = section_of(settings, manifest.id);
    add(check_options(manifest, section));
    add(check_offer_options(driver->file(), section));
    add(check_offered_names(driver->file(), section));
    // A Nova deployment has its placement service see to what the guards guard.
    if (settings.nova.is_configured()) continue;
    for (auto& warning : guard_warnings(manifest, section)) found.warnings.push_back(std::move(warning));
  }
  return found;
}

// Takes the new instance. Without one the reload goes on: the configuration says nothing new about the driver.
void NextInstances::replace_away(const std::string& id, Result<std::shared_ptr<DriverInstance>> made,
                                 std::shared_ptr<DriverInstance>& instance) const {
  using telemetry::Level;
  if (!made) {
    return logger_->write(Level::warning, "a driver whose process has ended too often could not be created anew",
                          {{"driver", id}, {"reason", made.error().message}});
  }
  logger_->write(Level::info, "a driver whose process has ended too often is created anew", {{"driver", id}});
  instance = *std::move(made);
}

Result<std::shared_ptr<const DriverInstances>> NextInstances::make(const DriverSet& set, const Late& late) const {
  DriverInstances::Held held = set.in_use()->all();
  for (auto& [driver, instance] : held) {
    const auto& file = driver->file();
    const auto& id = file.manifest.id;
    const auto section = section_of(settings_, id);
    const bool has_new_options =
        instance->policy() != policy_of(file, section) || !changed_since(instance->option_files()).empty();
    if (!has_new_options && !is_away(*instance)) continue;
    const LoadWatch watch(logger_, "driver", id, file.path);
    std::atomic<bool> is_late{false};
    const CreationLimit limit(id, file.path, longest_creation(settings_), [&](const auto&... which) {
      is_late = true;
      late(which...);
    });
    auto made = DriverInstance::create(
        file, driver->state_->ops,
        {section, settings_.scheduling.call_timeout, settings_.seal_drivers, logger_, counters_});
    if (!has_new_options) {
      replace_away(id, std::move(made), instance);
      continue;
    }
    if (!made) return std::move(made).error().within("creating driver '" + id + "' with its new options");
    if (is_late) {
      const std::string found = "expected that its create returns in time, found that it has returned late";
      return Error{ErrorCode::invalid_configuration, "creating driver '" + id + "' with its new options: " + found, {}};
    }
    instance = *std::move(made);
  }
  return std::shared_ptr<const DriverInstances>(std::make_shared<DriverInstances>(std::move(held)));
}

}  // namespace gantry::drivers
