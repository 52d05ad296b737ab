// SPDX-License-Identifier: Apache-2.0
//
// Tells in the log which driver or library is being loaded, so that one that never returns can be found.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// Logs that the driver is being loaded. Logs after 5 seconds that this goes on, then after 10, 20, 40 seconds and so
// on, until the object's end.
class LoadWatch {
 public:
  // `subject`: "driver" or "library".
  LoadWatch(std::shared_ptr<telemetry::Logger> logger, const std::string& subject, const std::string& id,
            const std::string& path);

 private:
  std::jthread thread_;
};

}  // namespace gantry::drivers
