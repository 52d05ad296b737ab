// SPDX-License-Identifier: Apache-2.0
//
// The reason why a system call failed, in words.
#pragma once

#include <string>

namespace gantry::files {

// Returns the text of an errno value, for example "Permission denied" for EACCES. [any thread]
std::string errno_text(int number);

}  // namespace gantry::files
