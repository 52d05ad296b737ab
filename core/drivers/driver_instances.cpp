// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_instances.hpp"

#include <algorithm>

#include "core/drivers/driver_instance.hpp"

namespace gantry::drivers {

DriverInstance* DriverInstances::of(const Driver& driver) const {
  const auto found = std::ranges::find(held_, &driver, &Held::value_type::first);
  return found == held_.end() ? nullptr : found->second.get();
}

std::string DriverInstances::policy_of(const Driver& driver) const {
  const auto* const instance = of(driver);
  return instance == nullptr ? std::string() : instance->policy();
}

}  // namespace gantry::drivers
