// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

namespace gantry {

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::already_exists: return "already_exists";
    case ErrorCode::failed_precondition: return "failed_precondition";
    case ErrorCode::no_valid_host: return "no_valid_host";
    case ErrorCode::permission_denied: return "permission_denied";
    case ErrorCode::deadline_exceeded: return "deadline_exceeded";
    case ErrorCode::resource_exhausted: return "resource_exhausted";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::invalid_configuration: return "invalid_configuration";
    case ErrorCode::internal: return "internal";
    case ErrorCode::unauthenticated: return "unauthenticated";
  }
  return "internal";
}

}  // namespace gantry
