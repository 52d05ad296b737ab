// SPDX-License-Identifier: Apache-2.0
//
// Reports a crash of the process in one line that names the driver, its file and the request.
#pragma once

#include <string>
#include <string_view>

#include "core/drivers/load/crash_site.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// Says which operation of which driver the current thread runs. While the note lives, the report of a crash of this
// thread names the driver, operation and request. Notes nest: the newest one counts. The texts must outlive the note.
class CrashNote {
 public:
  // `path`: the driver's file, needed only before the file is loaded. `instance`: the uuid of the first instance of the
  // request; empty: none, or that of the outer note.
  CrashNote(std::string_view driver, std::string_view operation, std::string_view request, std::string_view path = {},
            std::string_view instance = {});
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

  std::string_view driver() const { return driver_; }
  std::string_view operation() const { return operation_; }
  std::string_view request() const { return request_; }
  std::string_view path() const { return path_; }
  std::string_view instance() const { return instance_; }

 private:
  std::string_view driver_;
  std::string_view operation_;
  std::string_view request_;
  std::string_view path_;
  std::string_view instance_;
  const CrashNote* outer_;
};

// Installs the handlers of crash signals. A handler writes a line to the log and to standard error, in the form of the
// log. The line names the driver, operation and request of the crashing thread, or the driver whose code the thread
// runs. Then the signal ends the process as usual. The first call counts. `requests`: the file that keeps the request of
// a crash for later processes (fatal_requests.hpp); empty: none does.
void install_crash_report(const telemetry::LogSettings& log, const std::string& requests = {});

// The functions below are internal to this folder. `site`: where the process ends.
//
// Writes the line of the crash report. `what`: how the process ends, such as "SIGSEGV". `more`: the end of the
// sentence. Writes nothing before install_crash_report and in a child process. [signal handler]
void report_crash(std::string_view what, const CrashSite& site, std::string_view more = {}) noexcept;
// Returns whether the current thread runs a driver, or is a thread that a driver made. [signal handler]
bool runs_a_driver(const CrashSite& site) noexcept;

}  // namespace gantry::drivers
