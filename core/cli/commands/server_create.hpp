// SPDX-License-Identifier: Apache-2.0
//
// `gantry server create`: asks for instances, then follows each until it runs or has failed.
#pragma once

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

Result<int> create_server(Session& session, const Arguments& arguments);

}  // namespace gantry::cli
