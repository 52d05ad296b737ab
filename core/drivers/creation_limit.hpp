// SPDX-License-Identifier: Apache-2.0
//
// Bounds the time in which a driver is loaded and created.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "core/config/settings.hpp"

namespace gantry::drivers {

// Returns how long loading and creating one driver may take, in a trial and at a start.
std::chrono::milliseconds longest_creation(const config::Settings& settings);

// Called with a driver's id and path and with the time that it had. Comes from another thread.
using Late = std::function<void(const std::string& driver, const std::string& path, std::chrono::milliseconds time)>;

// Calls `late` if the object still lives after `time`.
class CreationLimit {
 public:
  // An empty `late` means no limit.
  CreationLimit(std::string driver, std::string path, std::chrono::milliseconds time, Late late);

 private:
  std::jthread thread_;
};

}  // namespace gantry::drivers
