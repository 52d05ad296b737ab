// SPDX-License-Identifier: Apache-2.0
//
// The programs gantryd and gantryd-nova: the command line, and what follows from it.
#pragma once

#include "core/daemon/daemon.hpp"

namespace gantry::daemon {

// Runs the program and returns its exit status. Without `make_authority`, a configuration with a Nova deployment makes
// the process go on as gantryd-nova.
int run_program(int argc, char** argv, MakeAuthority make_authority);

}  // namespace gantry::daemon
