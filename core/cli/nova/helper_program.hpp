// SPDX-License-Identifier: Apache-2.0
//
// Runs the program gantry-nova-check, which is linked to the libraries of a broker and a database. gantry is not.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli {

// Returns the path of the program, which lies beside this one or among the installed ones. Error unavailable: there is none.
Result<std::string> find_nova_check();

// Runs the program that lies beside this one or among the installed ones. Copies to `out` what the program prints, as it
// prints. Returns the program's exit status. Error unavailable: there is no such program, or a signal has ended it.
Result<int> run_nova_check(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace gantry::cli
