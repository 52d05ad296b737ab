// SPDX-License-Identifier: Apache-2.0
//
// The exit statuses of gantryd. The unit starts gantryd again after `failed` and after a crash. In the other cases a
// new start would find the same.
#pragma once

#include "core/result.hpp"

namespace gantry::daemon {

enum ExitStatus {
  ended = 0,
  failed = 1,          // a restart may help: another gantryd still ends, the disk is full, a port is taken
  usage = 2,           // the command line is wrong
  store_refused = 65,  // EX_DATAERR of sysexits.h: the store is damaged, somebody else's, or of a newer gantry
  not_permitted = 77,  // EX_NOPERM: a file, directory or socket that the user may not use
  misconfigured = 78,  // EX_CONFIG: the configuration or a required driver is refused
};

// Returns the exit status for an error that prevents or ends the start.
int exit_status_of(ErrorCode code);

}  // namespace gantry::daemon
