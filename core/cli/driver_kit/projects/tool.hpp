// SPDX-License-Identifier: Apache-2.0
//
// Runs the programs that build a driver: compilers, cmake, make and cargo. No shell is involved.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

struct Tool {
  std::string program{};  // a path, or a name to look up in PATH
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};  // in addition to this process's variables
  std::string directory{};                           // where the program runs; empty: where this process runs
};

// Runs the program to its end and says on a terminal what is running. A program that fails has its output shown on
// standard error, or, with -o json, as details.output of the error. Errors: not_found names the package to install,
// failed_precondition says how the program ended.
Result<void> run_tool(Session& session, const Tool& tool, const std::stop_token& stop);

}  // namespace gantry::cli
