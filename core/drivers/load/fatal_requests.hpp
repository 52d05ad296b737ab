// SPDX-License-Identifier: Apache-2.0
//
// The requests in whose calls a process has ended: the service's by a crash, or that of an isolated driver. A request
// that did so twice within an hour is refused: it would do so again, and its caller sends it again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::drivers {

// The names of a request. A repeat has the same id, or asks for the same instance. Empty: it has none.
struct RequestNames {
  std::string_view id;
  std::string_view instance;
};

// [any thread]
class FatalRequests {
 public:
  using Clock = std::chrono::system_clock;
  static constexpr std::size_t most_ends = 2;
  static constexpr std::chrono::hours memory{1};

  // Reads what note_crash() has written to the file in earlier processes. Empty, or a file that is not there: nothing.
  explicit FatalRequests(const std::string& file = {});

  void note(std::string_view driver, const RequestNames& request, Clock::time_point now = Clock::now());
  // Returns the name by which the request is known to have ended the driver's process twice. Empty: it has not.
  std::string refused_name(std::string_view driver, const RequestNames& request,
                           Clock::time_point now = Clock::now()) const;

 private:
  void add(std::string_view driver, std::string_view name, Clock::time_point when);

  std::atomic<bool> is_empty_{true};
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Clock::time_point>, std::less<>> ends_;  // by driver and name, the oldest first
};

// Appends a line to the file, for later processes. The text must end with a zero. [signal handler]
void note_crash(const char* file, std::string_view driver, const RequestNames& request) noexcept;
// Takes the lines from the file that are too old to count.
void forget_old_crashes(const std::string& file);

}  // namespace gantry::drivers
