// SPDX-License-Identifier: Apache-2.0
//
// Names the driver and the request in the report of a crash.
#pragma once

#include <string_view>

namespace gantry::drivers {

// While it lives, a crash of this thread is reported as a crash in the operation of the driver. A signal handler can
// read it. Notes nest. The texts must outlive the note.
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

// Installs handlers for crash signals. Each writes a line with the driver and the request of the crashing thread, then
// ends the process as the signal would have. Call it once, at the start.
void install_crash_report();

}  // namespace gantry::drivers
