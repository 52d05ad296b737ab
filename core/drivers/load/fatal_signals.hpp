// SPDX-License-Identifier: Apache-2.0
//
// The signals that end a process which does not handle them. Internal to this folder.
#pragma once

#include <string_view>
#include <vector>

namespace gantry::drivers {

// Returns all of them except those that cannot be handled and those that the daemon or a terminal sends to end a
// program: SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGPIPE.
std::vector<int> fatal_signals();
// Returns the name of one of these signals, such as "SIGSEGV". [signal handler]
std::string_view name_of_signal(int signal) noexcept;

}  // namespace gantry::drivers
