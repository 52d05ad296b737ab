// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of the program. Scripts rely on the numbers, which never change.
#pragma once

#include "core/result.hpp"

namespace gantry::cli::exit_code {

constexpr int success = 0;
constexpr int failure = 1;
constexpr int usage = 2;
constexpr int no_valid_host = 3;
constexpr int unsound = 4;                 // `gantry doctor` found a fault, a comparison a difference
constexpr int unreachable = 69;            // no daemon answered; EX_UNAVAILABLE of sysexits.h
constexpr int permission_denied = 77;      // EX_NOPERM of sysexits.h
constexpr int invalid_configuration = 78;  // EX_CONFIG of sysexits.h

// Returns the exit code for an error.
int of(ErrorCode code);

}  // namespace gantry::cli::exit_code
