// SPDX-License-Identifier: Apache-2.0
//
// What commands that ask for destinations have in common: the request that the user means, and how the answer looks.
#pragma once

#include <vector>

#include "core/cli/request/request_file.hpp"
#include "core/cli/terminal/command.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/cli/terminal/text_table.hpp"

namespace gantry::cli {

// Those of the request alone, and --alternates.
std::vector<Option> asked_request_options();
// From --request FILE, or put together from the other options.
Result<FiledRequest> asked_request(Session& session, const Arguments& arguments);

TextTable destinations_table(const json::value& destinations);

}  // namespace gantry::cli
