// SPDX-License-Identifier: Apache-2.0
//
// Reads a file that the user named.
#pragma once

#include <string>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// Returns the content of the file `name`, or of standard input if `name` is "-". Fails if it has more than
// `most_bytes`.
Result<std::string> read_file(Session& session, const std::string& name, std::size_t most_bytes = 64U << 20U);

}  // namespace gantry::cli
