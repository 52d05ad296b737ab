// SPDX-License-Identifier: Apache-2.0
//
// Ends a question whose driver does not return. A driver in this process cannot be stopped.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "core/result.hpp"

namespace gantry::whatif {

// Ends the process. The argument is the error to show before that.
using GiveUp = std::function<void(const Error&)>;

class TimeLimit {
 public:
  // Calls `give_up` on a thread of its own if the object still lives after `time` and a second, in which a driver that
  // heeds its deadline answers by itself. `what` is the subject of the message: "loading driver 'filter'".
  TimeLimit(std::chrono::milliseconds time, std::string what, GiveUp give_up);

 private:
  std::jthread thread_;
};

}  // namespace gantry::whatif
