// SPDX-License-Identifier: Apache-2.0
//
// Reports a crash of the process in one line that names the driver and the request.
#pragma once

#include <string_view>

namespace gantry::drivers {

// Says which operation of which driver the current thread runs. While the note lives, the report of a crash of this
// thread names the driver, operation and request. Notes nest: the newest one counts. The texts must outlive the note.
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

// Installs the handlers of crash signals. A handler writes a line to standard error with the driver and the request of
// the crashing thread. Then the signal ends the process as usual. Call install_crash_report once, at the start.
void install_crash_report();

}  // namespace gantry::drivers
