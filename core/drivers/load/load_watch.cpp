// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/load_watch.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace gantry::drivers {

LoadWatch::LoadWatch(std::shared_ptr<telemetry::Logger> logger, const std::string& subject, const std::string& id,
                     const std::string& path) {
  logger->write(telemetry::Level::info, "The " + subject + " is being loaded", {{subject, id}, {"path", path}});
  thread_ = std::jthread([logger = std::move(logger), subject, id, path](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any over;
    // cppcheck-suppress localMutex ; wait_for needs a mutex, and this one guards nothing
    std::unique_lock lock(mutex);
    std::chrono::seconds passed{5};
    for (auto wait = passed;; wait = passed, passed *= 2) {
      over.wait_for(lock, stop, wait, [&stop] { return stop.stop_requested(); });
      // The wait's own answer may be false where the stop came as the wait began.
      if (stop.stop_requested()) return;
      logger->write(telemetry::Level::warning, "The " + subject + " is still being loaded: its code does not return",
                    {{subject, id}, {"path", path}, {"seconds", std::to_string(passed.count())}});
    }
  });
}

}  // namespace gantry::drivers
