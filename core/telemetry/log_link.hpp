// SPDX-License-Identifier: Apache-2.0
//
// Symbolic links in the place of the log file.
#pragma once

#include <string>

namespace gantry::telemetry {

// Returns the flag for open(): O_NOFOLLOW where others may write the directory of the file, and so may put a link of this
// user there under its name; else 0.
int log_link_flag(const std::string& name);

}  // namespace gantry::telemetry
