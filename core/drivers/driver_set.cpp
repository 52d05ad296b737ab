// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_set.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_state.hpp"

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
  state_->fallbacks.clear();
  for (const auto& retired : state_->retired) say(retired->host().driver());
  state_->retired.clear();
  state_->in_use.reset();
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

Driver* DriverSet::fallback_of(const Driver& driver) const {
  const auto found = state_->fallbacks.find(&driver);
  return found == state_->fallbacks.end() ? nullptr : found->second;
}

Driver* DriverSet::stand_in_for(const Driver& driver) const {
  auto* const fallback = fallback_of(driver);
  if (fallback == nullptr) return nullptr;
  const auto process = driver.runner_status();
  const bool is_away = process && process->state != isolated::RunnerState::ready;
  return is_away || driver.turns().all_hang() ? fallback : nullptr;
}

Driver* DriverSet::named(std::string_view name) const {
  const auto found =
      std::ranges::find_if(state_->drivers, [name](const auto& driver) { return driver->manifest().id == name; });
  return found == state_->drivers.end() ? nullptr : found->get();
}

std::shared_ptr<const DriverInstances> DriverSet::in_use() const {
  const std::lock_guard lock(state_->instances_mutex);
  return state_->in_use;
}

void DriverSet::use(std::shared_ptr<const DriverInstances> instances) {
  const std::lock_guard lock(state_->instances_mutex);
  for (const auto& [driver, instance] : state_->in_use->all()) {
    if (instances->of(*driver) == instance.get()) continue;
    state_->retired.push_back(instance);
  }
  for (const auto& [driver, instance] : instances->all()) {
    const std::lock_guard driver_lock(driver->state_->mutex);
    driver->state_->instance = instance;
  }
  state_->in_use = std::move(instances);
}

std::size_t DriverSet::destroy_replaced() {
  std::vector<std::shared_ptr<DriverInstance>> unused;
  std::size_t left = 0;
  {
    const std::lock_guard lock(state_->instances_mutex);
    // Nothing gives out a replaced instance any more, so a single owner stays the single one.
    const auto first_unused = std::partition(state_->retired.begin(), state_->retired.end(),
                                             [](const auto& instance) { return instance.use_count() > 1; });
    std::move(first_unused, state_->retired.end(), std::back_inserter(unused));
    state_->retired.erase(first_unused, state_->retired.end());
    left = state_->retired.size();
  }
  // The last call has ended in another thread.
  std::atomic_thread_fence(std::memory_order_acquire);
  unused.clear();
  return left;
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
