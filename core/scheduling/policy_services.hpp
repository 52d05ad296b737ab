// SPDX-License-Identifier: Apache-2.0
//
// The policy services that the configuration names ([ask.NAME]), which drivers ask through gantry.ask/1.
#pragma once

#include <chrono>
#include <string_view>

#include "core/drivers/call/asker.hpp"

namespace gantry::scheduling {

// [any thread]
class PolicyServices {
 public:
  virtual ~PolicyServices() = default;

  // Asks the service `name` for the driver of that id. Returns at the deadline at the latest.
  virtual drivers::ServiceAnswer ask(std::string_view driver, std::string_view name, std::string_view json,
                                     std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::scheduling
