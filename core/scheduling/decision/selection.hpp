// SPDX-License-Identifier: Apache-2.0
//
// A chosen host as JSON text, in one of two forms: a plain destination, or the object Selection, in which newer
// releases of Nova expect a destination.
#pragma once

#include "core/fleet/tables/moment.hpp"
#include "core/scheduling/decision/pick_sink.hpp"

namespace gantry::scheduling {

// Appends {host, nodename, limits}. nodename is null for a host without nodes.
void append_destination(std::string& out, const fleet::Moment& moment, const gantry_view& view, const Choice& choice);

// Appends the choice as Nova's versioned object Selection 1.1, with the limits as SchedulerLimits 1.0. These are the
// versions that nova-conductor of the release Zed reads.
void append_selection_object(std::string& out, const fleet::Moment& moment, const gantry_view& view,
                             const Choice& choice, const RequestSpec& spec, const Admission* admission = nullptr);

// Returns the value of a text column in a row of the view. Empty if the value is null or there is no such text column.
std::string_view text_at(const fleet::Moment& moment, const gantry_view& view, std::string_view column,
                         std::uint32_t row);

}  // namespace gantry::scheduling
