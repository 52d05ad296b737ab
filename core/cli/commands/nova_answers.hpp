// SPDX-License-Identifier: Apache-2.0
//
// Prints what the daemon says of its place in a Nova deployment.
#pragma once

#include <string>

#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// Prints the member `nova` of the answer of `status`: plain members first, then a section for each member that is an
// object or a list of objects. Knows no names, so that a new member is shown as well.
void print_nova_status(Session& session, const json::object& status);

// Prints the answer of `recent_decision` about an instance, which is one of those of the request.
void print_nova_decision(Session& session, const json::object& decision, const std::string& instance);

}  // namespace gantry::cli
