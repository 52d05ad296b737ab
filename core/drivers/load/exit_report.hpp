// SPDX-License-Identifier: Apache-2.0
//
// Turns an exit of the process that a driver causes into a crash with a report.
#pragma once

namespace gantry::drivers {

// While the object lives, the process has no reason to exit. exit and quick_exit, and _exit in a driver, are reported
// like a crash then, and the exit status becomes 1, so that the service manager starts the service again. Needs
// install_crash_report.
class ExitIsACrash {
 public:
  ExitIsACrash();
  ~ExitIsACrash();
  ExitIsACrash(const ExitIsACrash&) = delete;
  ExitIsACrash& operator=(const ExitIsACrash&) = delete;
};

}  // namespace gantry::drivers
