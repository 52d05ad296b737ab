// SPDX-License-Identifier: Apache-2.0
//
// A chosen row as JSON text, in the two forms that callers read: a plain destination, and Nova's Selection object.
#pragma once

#include "core/fleet/tables/moment.hpp"
#include "core/scheduling/decision/pick_sink.hpp"

namespace gantry::scheduling {

// Appends {host, nodename, limits}. nodename is null for a host without nodes.
void append_destination(std::string& out, const fleet::Moment& moment, const gantry_view& view, const Choice& choice);

// Appends Nova's Selection 1.1 with SchedulerLimits 1.0, as a Zed conductor reads it.
void append_selection_object(std::string& out, const fleet::Moment& moment, const gantry_view& view,
                             const Choice& choice, const RequestSpec& spec);

// Returns the value of a text column. Empty if the value is null or there is no such column.
std::string_view text_at(const fleet::Moment& moment, const gantry_view& view, std::string_view column,
                         std::uint32_t row);

}  // namespace gantry::scheduling
