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
#include "core/result.hpp"

namespace gantry::drivers {

// The drivers of the config that are ready for calls, by topic. Owns the drivers.
class DriverSet {
 public:
  // Returns the driver of a topic. nullptr if no driver serves the topic.
  Driver* for_topic(std::string_view topic) const;
  // Returns the driver of a topic. not_found if no driver serves the topic. The message lists the topics that are
  // served.
  Result<Driver*> require(std::string_view topic) const;
  std::vector<Driver*> all() const;
  std::vector<std::string> topics() const;  // sorted
  // The ids of the drivers with required = false that did not load, each with the reason.
  const std::vector<std::pair<std::string, Error>>& skipped() const;

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
