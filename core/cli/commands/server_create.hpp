// SPDX-License-Identifier: Apache-2.0
//
// Runs `gantry server create`: asks for instances, then waits until each is active or has failed.
#pragma once

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

Result<int> create_server(Session& session, const Arguments& arguments);

}  // namespace gantry::cli
