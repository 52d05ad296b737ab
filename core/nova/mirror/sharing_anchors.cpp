// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/sharing_anchors.hpp"

#include <algorithm>

namespace gantry::nova {

RowSet sharing_anchors(const ProviderState& state, ProviderRow provider) {
  const auto& shape = state.shape();
  RowSet anchors(shape.rows());
  for (const auto aggregate : state.provider(provider).aggregates)
    state.in_aggregate(aggregate).each(
        [&](std::size_t row) { anchors.insert(shape.root(static_cast<ProviderRow>(row))); });
  return anchors;
}

bool are_sharing(const ProviderState& state, std::span<const ProviderRow> rows) {
  const auto& sharing = state.sharing();
  return !rows.empty() && std::ranges::all_of(rows, [&sharing](ProviderRow row) { return sharing.has(row); });
}

}  // namespace gantry::nova
