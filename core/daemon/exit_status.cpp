// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/exit_status.hpp"

namespace gantry::daemon {

int exit_status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_configuration: return misconfigured;
    case ErrorCode::permission_denied: return not_permitted;
    // The last two: a stored document that cannot be read.
    case ErrorCode::failed_precondition:
    case ErrorCode::invalid_argument:
    case ErrorCode::internal: return store_refused;
    default: return failed;
  }
}

}  // namespace gantry::daemon
