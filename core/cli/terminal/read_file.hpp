// SPDX-License-Identifier: Apache-2.0
//
// A file that the user named, whole.
#pragma once

#include <string>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// "-" is standard input. At most 64 MiB.
Result<std::string> read_file(Session& session, const std::string& name, std::size_t most_bytes = 64U << 20U);

}  // namespace gantry::cli
