// SPDX-License-Identifier: Apache-2.0
//
// The instances of all drivers that hold at one time. A reload makes another object of this kind and puts it in the place of
// the one before, so that a decision, which keeps the object that it began with, is made with the options of one time.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry::drivers {

class Driver;
class DriverInstance;

class DriverInstances {
 public:
  using Held = std::vector<std::pair<const Driver*, std::shared_ptr<DriverInstance>>>;

  DriverInstances() = default;
  explicit DriverInstances(Held held) : held_(std::move(held)) {}

  // Returns the driver's instance. nullptr if the driver is not among them.
  DriverInstance* of(const Driver& driver) const;
  // Returns the hash of the options that the driver's instance was made from. Empty if the driver is not among them.
  std::string policy_of(const Driver& driver) const;
  const Held& all() const { return held_; }

 private:
  Held held_;
};

}  // namespace gantry::drivers
