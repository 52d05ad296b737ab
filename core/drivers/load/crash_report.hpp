// SPDX-License-Identifier: Apache-2.0
//
// What the current thread does for which driver, kept where a signal handler can read it.
#pragma once

#include <string_view>

namespace gantry::drivers {

// Marks the thread as being inside a driver's operation while it lives. Nests. The texts must outlive it.
class CrashNote {
 public:
  CrashNote(std::string_view driver, std::string_view operation, std::string_view request);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

  std::string_view driver() const { return driver_; }
  std::string_view operation() const { return operation_; }
  std::string_view request() const { return request_; }

 private:
  std::string_view driver_;
  std::string_view operation_;
  std::string_view request_;
  const CrashNote* outer_;
};

// Writes a line that names the driver and the request under way on the crashing thread, then ends the process as the
// signal would have. Once, at start.
void install_crash_report();

}  // namespace gantry::drivers
