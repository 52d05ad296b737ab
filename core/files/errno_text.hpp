// SPDX-License-Identifier: Apache-2.0
//
// The reason of a failed system call in words.
#pragma once

#include <string>

namespace gantry::files {

// Returns the text of an errno value, for example "Permission denied" of EACCES. [any thread]
std::string errno_text(int number);

}  // namespace gantry::files
