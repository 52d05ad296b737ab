// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/time_limit.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace gantry::whatif {

namespace {

Error too_late(const std::string& what, std::chrono::milliseconds time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  return Error{ErrorCode::deadline_exceeded,
               what + ": expected an end within --timeout, " + std::to_string(seconds) +
                   " s, found it still running; the driver does not heed its deadline",
               {}};
}

}  // namespace

TimeLimit::TimeLimit(std::chrono::milliseconds time, std::string what, GiveUp give_up)
    : thread_([time, what = std::move(what), give_up = std::move(give_up)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any over;
        // cppcheck-suppress localMutex ; wait_for needs a mutex, and this one guards nothing
        std::unique_lock lock(mutex);
        constexpr std::chrono::seconds grace{1};
        over.wait_for(lock, stop, time + grace, [&stop] { return stop.stop_requested(); });
        // The wait's own answer may be false where the stop came as the wait began.
        if (!stop.stop_requested()) give_up(too_late(what, time));
      }) {}

}  // namespace gantry::whatif
