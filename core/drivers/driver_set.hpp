// SPDX-License-Identifier: Apache-2.0
//
// The set of all drivers that are loaded and created.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_instances.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// The drivers of the config that are ready for calls, by topic. Owns the drivers.
class DriverSet {
 public:
  // Returns the default driver of a topic: the first that scheduler_driver names for the topic, of those that were loaded.
  // nullptr if no driver serves the topic.
  Driver* for_topic(std::string_view topic) const;
  // Returns the driver of a topic. not_found if no driver serves the topic. The message lists the topics that are
  // served.
  Result<Driver*> require(std::string_view topic) const;
  std::vector<Driver*> all() const;
  std::vector<std::string> topics() const;  // sorted
  // The ids of the drivers with required = false that did not load, each with the reason.
  const std::vector<std::pair<std::string, Error>>& skipped() const;

  // Returns the driver of that name. nullptr: none is loaded under it.
  Driver* named(std::string_view name) const;
  // Returns the driver that decides where a decision of this one fails. nullptr: it has none.
  Driver* fallback_of(const Driver& driver) const;
  // Returns the fallback of a driver that cannot be asked now: its process is away, or each of its places holds a call
  // that hangs. nullptr: it can be asked, or it has no fallback. [any thread]
  Driver* stand_in_for(const Driver& driver) const;

  // Returns the instances that hold now. [any thread]
  std::shared_ptr<const DriverInstances> in_use() const;
  // Puts these in the place of the ones that hold now. No later call goes to an instance that is not among them. They
  // must have an instance of each driver. [any thread]
  void use(std::shared_ptr<const DriverInstances> instances);
  // Destroys the instances that were replaced and in which no call is under way any more. Returns how many are left. One
  // thread at a time.
  std::size_t destroy_replaced();

  // Destroys the drivers, one after the other. No call of them may be under way.
  void end();
  // Returns the id of the driver that end() is destroying. Empty if there is none. [any thread]
  std::string ending() const;

  DriverSet();
  DriverSet(DriverSet&&) noexcept;
  ~DriverSet();  // destroys the drivers and leaves their libraries loaded

 private:
  friend class DriverLoader;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
