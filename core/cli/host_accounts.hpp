// SPDX-License-Identifier: Apache-2.0
//
// What became of each host in a decision, for people.
#pragma once

#include "core/cli/session.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// The verdicts behind each host's first rejection are taken out of a decision's `instances`.
void end_at_rejection(json::object& decision);

// Of a decision, or of the details of one that found no host: for each instance the hosts in their final order, the
// filters' verdicts on them, and the weighers' terms. Nothing where the driver has accounted for none.
void print_host_accounts(Session& session, const json::object& decision);

}  // namespace gantry::cli
