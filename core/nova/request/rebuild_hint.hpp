// SPDX-License-Identifier: Apache-2.0
//
// The scheduler hint with which nova-api asks whether a server can be rebuilt, with another image, on its host. A
// request for a rebuild asks few filters, has no candidates and claims nothing. nova-api before 31.3.1, 32.2.1 and
// 33.0.2 passes on the same hint from users who create a server, so the hint alone must open nothing.
#pragma once

#include <string>

#include "core/encoding/json.hpp"

namespace gantry::nova {

// Returns whether Nova's scheduler takes the request for a rebuild: the hint _nova_check_type is ['rebuild'].
bool carries_rebuild_hint(const json::object& spec);

// Returns why the hint of a request is not from Nova's own rebuild, which forces exactly one host and one node, and
// takes the id of its row from the request (compute/api.py, the same from Queens to 2026.2). A request to create a
// server has that id, also where its user may name host and node. Empty: the hint is from a rebuild.
std::string objection_to_rebuild_hint(const json::object& spec);

}  // namespace gantry::nova
