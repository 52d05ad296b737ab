// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a row has room for a claim, by the fleet's present state and not by a view.
#pragma once

#include <string_view>

#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/tables/table.hpp"

namespace gantry::fleet {

// Returns whether, for each item with a limit, the row's reported use, its claims and the amounts of `claim` stay
// within the limit. Claims of `consumer` (a consumer key) do not count: the new claim would replace them.
bool has_room(const RowState& row, const Claim& claim, std::string_view consumer);

// A driver reads what is left of a named resource (anything but vcpu, memory_mb and disk_gb) in the row's numa_topology
// and pci_stats. A report since then may have ended claims and shows their part as used, so that the row's claims alone
// no longer tell what is left. Returns whether no item has a limit on a named resource, or both documents of the live
// row are still those of the view.
bool documents_are_current(const Claim& claim, const Table& table, const RowState& live, const gantry_view& view,
                           std::uint32_t row);

}  // namespace gantry::fleet
