// SPDX-License-Identifier: Apache-2.0
//
// The trees that a sharing provider takes part in.
#pragma once

#include <span>

#include "core/nova/mirror/provider_state.hpp"

namespace gantry::nova {

// Returns the roots of all providers that are in one of the provider's aggregates. Its own is among them if it is in
// any.
RowSet sharing_anchors(const ProviderState& state, ProviderRow provider);

// Whether all rows are sharing providers: several trees may have the same ones. False if there is no row.
bool are_sharing(const ProviderState& state, std::span<const ProviderRow> rows);

}  // namespace gantry::nova
