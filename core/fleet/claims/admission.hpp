// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a row has room for a claim. Judges by the fleet's present state, since a driver's view may be older.
#pragma once

#include <span>

#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/tables/table.hpp"

namespace gantry::fleet {

// Returns whether, for each item with a limit, the row's reported use, the claims on the row and the amounts of `claim`
// together stay within the limit. The claims `except` of the row do not count, since `claim` is one of them or would
// replace them. False if an amount is negative or not finite.
bool has_room(const RowState& row, const Claim& claim, std::span<ClaimRecord* const> except);

// Returns false if the claim limits a named resource (anything but vcpu, memory_mb and disk_gb), and the numa_topology
// or pci_stats of the `live` row are no longer those of row `row` in the view. A driver reads the room for named
// resources in these two documents. A newer report may show as used what claims held before, and end these claims. Then
// the row's present claims say too little about the room that the driver saw.
bool documents_are_current(const Claim& claim, const Table& table, const RowState& live, const gantry_view& view,
                           std::uint32_t row);

}  // namespace gantry::fleet
