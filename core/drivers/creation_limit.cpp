// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/creation_limit.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace gantry::drivers {

std::chrono::milliseconds longest_creation(const config::Settings& settings) {
  constexpr std::chrono::seconds shortest_limit{10};
  return std::max<std::chrono::milliseconds>(settings.scheduling.call_timeout, shortest_limit);
}

CreationLimit::CreationLimit(std::string driver, std::string path, std::chrono::milliseconds time, Late late) {
  if (!late) return;
  thread_ = std::jthread(
      [driver = std::move(driver), path = std::move(path), time, late = std::move(late)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any over;
        // cppcheck-suppress localMutex ; only wait_for needs one
        std::unique_lock lock(mutex);
        over.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); });
        // The wait's own answer may be false where the stop came as the wait began.
        if (!stop.stop_requested()) late(driver, path, time);
      });
}

}  // namespace gantry::drivers
