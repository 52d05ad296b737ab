// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <utility>

#include "core/fleet/tables/table.hpp"

namespace gantry::fleet {

namespace {

constexpr std::size_t kept_copies = 2;
// A copy beyond those is freed after so many updates in which nobody needed it, not at once: calls that overlap once
// overlap again.
constexpr std::uint64_t turns_until_surplus = 256;

}  // namespace

std::shared_ptr<TableCopy> Table::newest(const Locate& locate, std::vector<std::shared_ptr<TableCopy>>& surplus) {
  if (newest_ == nullptr || newest_->copy->generation_ != generation_) {
    ++turn_;
    auto& kept = choose();
    bring_up_to_date(kept, locate);
    newest_ = &kept;
    kept.last_turn = turn_;
    put_aside_surplus(surplus);
  }
  return newest_->copy;
}

Table::Kept& Table::choose() {
  Kept* best = nullptr;
  for (const auto& kept : copies_) {
    if (!kept->copy->idle()) continue;
    if (best == nullptr || kept->pending.rows.size() < best->pending.rows.size()) best = kept.get();
  }
  return best != nullptr ? *best : make_copy();
}

Table::Kept& Table::make_copy() {
  auto kept = std::make_unique<Kept>();
  kept->copy = std::make_shared<TableCopy>(topic_, changes_);
  auto& pending = kept->pending;
  if (newest_ != nullptr) {
    // Pinned, perhaps, but reading it is free; going through all instances is not.
    kept->copy->placements_ = newest_->copy->placements_;
    pending.placements = newest_->pending.placements;
    pending.every_placement = newest_->pending.every_placement;
  } else {
    pending.every_placement = true;
  }
  return *copies_.emplace_back(std::move(kept));
}

void Table::put_aside_surplus(std::vector<std::shared_ptr<TableCopy>>& surplus) {
  if (copies_.size() <= kept_copies) return;
  for (auto at = copies_.begin(); at != copies_.end() && copies_.size() > kept_copies;) {
    const auto& kept = **at;
    if (&kept != newest_ && kept.copy->idle() && turn_ - kept.last_turn > turns_until_surplus) {
      surplus.push_back(kept.copy);
      at = copies_.erase(at);
    } else {
      ++at;
    }
  }
}

void Table::bring_up_to_date(Kept& kept, const Locate& locate) {
  auto& copy = *kept.copy;
  code_sets();
  take_columns(copy);
  take_rows(copy);
  take_dictionaries(copy);
  take_sets(copy);
  take_cells(kept);
  take_placements(kept, locate);
  copy.instances_.compact(copy.columns_[position_of(CoreColumn::instances)]);
  copy.describe(generation_);
}

void Table::take_columns(TableCopy& copy) const {
  if (copy.schema_ == schema_) return;
  copy.schema_ = schema_;
  const bool is_new = copy.columns_.empty();
  for (auto position = copy.columns_.size(); position < columns_.size(); ++position) {
    const auto& spec = schema_->columns()[position];
    auto& column = copy.columns_.emplace_back(spec.type, spec.nullable);
    if (spec.type == GANTRY_TYPE_UUIDS) {
      column.resize(copy.rows_);
    } else {
      column.copy_all(columns_[position]);
    }
  }
  copy.dictionaries_.resize(columns_.size());
  if (!is_new) return;
  // The cells are complete; lists and identities are not in columns of the table.
  const auto rows = static_cast<std::uint32_t>(rows_.size());
  copy.rows_ = rows;
  auto& slices = copy.columns_[position_of(CoreColumn::instances)];
  slices.resize(rows);
  copy.instances_.resize(rows);
  copy.entities_.resize(rows);
  std::size_t instances = 0;
  for (const auto* row : rows_) instances += row->instances.size();
  copy.instances_.reserve(instances);
  for (const auto* row : rows_) copy.instances_.set(slices, row->row, row->instances);
  copy.row_of_slot_.resize(row_of_slot_.size());
  for (const auto* row : rows_) {
    copy.entities_[row->row] = row->id;
    copy.row_of_slot_[row->id.slot] = row->row;
  }
}

void Table::take_rows(TableCopy& copy) const {
  const auto rows = static_cast<std::uint32_t>(rows_.size());
  copy.row_of_slot_.resize(row_of_slot_.size());
  if (copy.rows_ == rows) return;
  for (auto& column : copy.columns_) column.resize(rows);
  copy.instances_.resize(rows);
  copy.entities_.resize(rows);
  copy.rows_ = rows;
  copy.index_.forget();
}

void Table::take_dictionaries(TableCopy& copy) const {
  for (std::uint32_t position = 0; position < dictionaries_.size(); ++position) {
    if (!dictionaries_[position]) continue;
    const auto& dictionary = *dictionaries_[position];
    auto& held = copy.dictionaries_[position];
    const bool same = held.array && held.array->version == dictionary.version();
    if (!same) copy.columns_[position].copy_all(columns_[position]);
    if (!same || held.count != dictionary.count()) held = {dictionary.array(), dictionary.count()};
  }
}

void Table::take_sets(TableCopy& copy) {
  constexpr auto position = position_of(CoreColumn::aggregates);
  if (copy.sets_epoch_ != sets_.epoch()) copy.columns_[position].copy_all(columns_[position]);
  copy.sets_epoch_ = sets_.epoch();
  copy.aggregates_ = sets_.list();
  copy.sets_ = sets_.shown();
}

void Table::take_cells(Kept& kept) const {
  auto& pending = kept.pending;
  bool renamed = false;
  for (const auto row : pending.rows) {
    const auto columns = std::exchange(pending.columns_of_row[row], 0);
    if (row < rows_.size()) renamed = take_row(*kept.copy, row, columns) || renamed;
  }
  pending.rows.clear();
  if (renamed) kept.copy->index_.forget();
}

bool Table::take_row(TableCopy& copy, std::uint32_t row, std::uint64_t columns) const {
  constexpr std::uint64_t further = std::uint64_t{1} << 63;
  for (std::uint64_t left = columns & ~further; left != 0; left &= left - 1) {
    const auto position = static_cast<std::uint32_t>(std::countr_zero(left));
    if (position < columns_.size()) take_cell(copy, row, position);
  }
  if ((columns & further) != 0) {
    for (std::uint32_t position = 63; position < columns_.size(); ++position) take_cell(copy, row, position);
  }
  const auto id = rows_[row]->id;
  if (copy.entities_[row] == id && copy.row_of_slot_[id.slot] == row) return false;
  copy.entities_[row] = id;
  copy.row_of_slot_[id.slot] = row;
  return true;
}

void Table::take_cell(TableCopy& copy, std::uint32_t row, std::uint32_t position) const {
  if (position == position_of(CoreColumn::instances)) {
    copy.instances_.set(copy.columns_[position], row, rows_[row]->instances);
  } else {
    copy.columns_[position].copy_cell(columns_[position], row, row);
  }
}

void Table::take_placements(Kept& kept, const Locate& locate) const {
  auto& pending = kept.pending;
  if (!tracks_placements_) return;
  if (pending.every_placement) {
    take_every_placement(*kept.copy, locate);
  } else {
    auto& placements = kept.copy->placements_;
    for (const auto& instance : pending.placements) {
      if (const auto* row = locate(instance)) {
        placements.insert_or_assign(instance, row->id.slot);
      } else {
        placements.erase(instance);
      }
    }
  }
  pending.placements.clear();
  pending.every_placement = false;
}

void Table::take_every_placement(TableCopy& copy, const Locate& locate) const {
  auto& placements = copy.placements_;
  placements.clear();
  std::size_t instances = 0;
  for (const auto* row : rows_) instances += row->instances.size();
  placements.reserve(instances);
  for (const auto* row : rows_) {
    for (const auto& instance : row->instances) {
      const auto [place, is_new] = placements.emplace(instance, row->id.slot);
      if (is_new) continue;
      // On two rows at once: while it moves, or claimed twice.
      if (const auto* chosen = locate(instance)) place->second = chosen->id.slot;
    }
  }
}

}  // namespace gantry::fleet
