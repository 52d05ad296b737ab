// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_set.hpp"

#include "core/drivers/driver_loader.hpp"

namespace gantry::drivers {

DriverSet::DriverSet() : state_(std::make_unique<State>()) {}
DriverSet::DriverSet(DriverSet&&) noexcept = default;
DriverSet::~DriverSet() = default;

void DriverSet::end() {
  const auto say = [this](std::string id) {
    const std::lock_guard lock(state_->ending_mutex);
    state_->ending = std::move(id);
  };
  state_->by_topic.clear();
  for (auto& driver : state_->drivers) {
    say(driver->manifest().id);
    driver.reset();
    say({});
  }
  state_->drivers.clear();
}

std::string DriverSet::ending() const {
  const std::lock_guard lock(state_->ending_mutex);
  return state_->ending;
}

Driver* DriverSet::for_topic(std::string_view topic) const {
  const auto found = state_->by_topic.find(topic);
  return found == state_->by_topic.end() ? nullptr : found->second;
}

Result<Driver*> DriverSet::require(std::string_view topic) const {
  if (auto* driver = for_topic(topic)) return driver;
  std::string served;
  for (const auto& name : topics()) served += (served.empty() ? "" : ", ") + name;
  return Error{ErrorCode::not_found,
               "no driver serves topic '" + std::string(topic) + "'; served are: " +
                   (served.empty() ? "none" : served) + ". Name a driver for it in scheduler_driver",
               {}};
}

std::vector<Driver*> DriverSet::all() const {
  std::vector<Driver*> drivers;
  for (const auto& driver : state_->drivers) drivers.push_back(driver.get());
  return drivers;
}

std::vector<std::string> DriverSet::topics() const {
  std::vector<std::string> topics;
  for (const auto& [topic, driver] : state_->by_topic) topics.push_back(topic);
  return topics;
}

const std::vector<std::pair<std::string, Error>>& DriverSet::skipped() const {
  return state_->skipped;
}

}  // namespace gantry::drivers
