// SPDX-License-Identifier: Apache-2.0
//
// The history of the facts that moments showed.
#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

void Fleet::keep_history(std::size_t most_bytes) {
  const std::lock_guard lock(state_->mutex);
  state_->history.emplace(most_bytes);
  // The next moment is a new one, and has a number.
  state_->newest.reset();
}

FactChunk Fleet::take_history() {
  const std::lock_guard lock(state_->mutex);
  return state_->history ? state_->history->take() : FactChunk();
}

std::uint64_t Fleet::State::note_moment(const std::vector<std::shared_ptr<TableCopy>>& copies) {
  if (!history) return 0;
  static const TableChanges none;
  std::vector<FactHistory::Change> changes;
  changes.reserve(copies.size());
  std::size_t at = 0;
  for (const auto& [name, hosts] : topics) {
    const auto* noted = hosts->table().noted_changes();
    changes.push_back({copies[at++].get(), noted != nullptr ? noted : &none});
  }
  const auto number = history->add(changes);
  for (const auto& [name, hosts] : topics) {
    auto& table = hosts->table();
    if (table.noted_changes() == nullptr) table.note_changes();
    table.forget_changes();
  }
  return number;
}

}  // namespace gantry::fleet
