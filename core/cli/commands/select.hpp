// SPDX-License-Identifier: Apache-2.0
//
// The common parts of the commands that ask for destinations: how the options become a request, and how the answer
// becomes a table.
#pragma once

#include <vector>

#include "core/cli/request/request_file.hpp"
#include "core/cli/terminal/command.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/cli/terminal/text_table.hpp"

namespace gantry::cli {

// Returns the options that describe the request, and --alternates.
std::vector<Option> asked_request_options();
// Reads the request from --request FILE, or builds it from the other options.
Result<FiledRequest> asked_request(Session& session, const Arguments& arguments);

// Refuses the options that describe the request, for a command line that has --request FILE.
Result<void> check_request_by_file(const Arguments& arguments);

// Returns a table with one row for each chosen host and each alternate.
TextTable destinations_table(const json::value& destinations);

}  // namespace gantry::cli
