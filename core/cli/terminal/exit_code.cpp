// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/exit_code.hpp"

namespace gantry::cli::exit_code {

int of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return usage;
    case ErrorCode::no_valid_host: return no_valid_host;
    case ErrorCode::unavailable: return unreachable;
    case ErrorCode::unauthenticated:
    case ErrorCode::permission_denied: return permission_denied;
    case ErrorCode::invalid_configuration: return invalid_configuration;
    default: return failure;
  }
}

}  // namespace gantry::cli::exit_code
