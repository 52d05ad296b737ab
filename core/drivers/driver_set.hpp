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

// All drivers that the config names, created and ready, by topic.
class DriverSet {
 public:
  // Returns the driver of a topic, nullptr if there is none.
  Driver* for_topic(std::string_view topic) const;
  // The same. not_found if no driver serves the topic; the message lists those that are served.
  Result<Driver*> require(std::string_view topic) const;
  std::vector<Driver*> all() const;
  std::vector<std::string> topics() const;  // sorted
  // The drivers with required = false that did not load, and the reasons.
  const std::vector<std::pair<std::string, Error>>& skipped() const;

  DriverSet();
  DriverSet(DriverSet&&) noexcept;
  ~DriverSet();  // destroys the drivers and leaves their libraries loaded

 private:
  friend class DriverLoader;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
