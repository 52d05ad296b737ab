// SPDX-License-Identifier: Apache-2.0
//
// A row of a view as JSON, for people and for the method list_hosts.
#pragma once

#include <cstdint>

#include "core/encoding/json.hpp"
#include "core/fleet/tables/moment.hpp"
#include "gantry/driver.h"

namespace gantry::fleet {

// Returns the row's values by column name, in the order of the columns, without null cells: times as nanoseconds, JSON
// as it is, aggregates by name, instances as uuid texts. Works for derived views, too. Requires row < view.rows.
json::object row_to_json(const Moment& moment, const gantry_view& view, std::uint32_t row);
// Returns the row's value in one column. null if the cell is null, the view has no such column, or the view is derived.
json::value cell_to_json(const Moment& moment, const gantry_view& view, std::string_view column, std::uint32_t row);

}  // namespace gantry::fleet
