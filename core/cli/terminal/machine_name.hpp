// SPDX-License-Identifier: Apache-2.0
//
// The name of the machine that the program runs on.
#pragma once

#include <string>

namespace gantry::cli {

// Returns the machine's own name, or "localhost" if it has none.
std::string machine_name();

}  // namespace gantry::cli
