// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gantry::fleet {

namespace {

constexpr std::uint64_t whole_row = ~std::uint64_t{0};
// Beyond so many, all instances are located.
constexpr std::size_t noted_placements = 65'536;

constexpr std::uint64_t bit_of(std::uint32_t position) {
  return std::uint64_t{1} << std::min(position, 63u);
}

}  // namespace

Table::Table(std::string topic, std::shared_ptr<const Schema> schema, bool tracks_placements)
    : topic_(std::move(topic)), tracks_placements_(tracks_placements), schema_(std::move(schema)) {
  for (const auto& spec : schema_->columns()) {
    columns_.emplace_back(spec.type, spec.nullable);
    dictionaries_.push_back(spec.type == GANTRY_TYPE_STRING ? std::make_unique<Dictionary>() : nullptr);
  }
}

void Table::mark(std::uint32_t row, std::uint64_t columns) {
  constexpr auto times = bit_of(position_of(CoreColumn::last_seen_up)) | bit_of(position_of(CoreColumn::updated_at));
  changes_->row_changed(++generation_, row, (columns & ~times) == 0);
  for (const auto& kept : copies_) mark_row(kept->pending, row, columns);
  // A history has the times of rows only with other changes of theirs.
  if (noted_ && (columns & ~times) != 0) mark_row(*noted_, row, columns | times);
}

void Table::mark_row(TableChanges& changes, std::uint32_t row, std::uint64_t columns) const {
  if (row >= changes.columns_of_row.size()) changes.columns_of_row.resize(std::max(rows_.size(), std::size_t{row} + 1));
  if (changes.columns_of_row[row] == 0) changes.rows.push_back(row);
  changes.columns_of_row[row] |= columns;
}

void Table::forget_changes() {
  for (const auto row : noted_->rows) noted_->columns_of_row[row] = 0;
  noted_->rows.clear();
  noted_->placements.clear();
  noted_->every_placement = false;
  noted_->aggregates.clear();
}

void Table::mark_cell(std::uint32_t row, std::uint32_t position) {
  mark(row, bit_of(position));
}

void Table::give_identity(RowState& row) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(row_of_slot_.size()));
    row_of_slot_.push_back(nullptr);
    generation_of_slot_.push_back(0);
  }
  const auto slot = free_slots_.back();
  free_slots_.pop_back();
  row_of_slot_[slot] = &row;
  row.id = {slot, ++generation_of_slot_[slot]};
}

void Table::take_identity(const RowState& row) {
  row_of_slot_[row.id.slot] = nullptr;
  free_slots_.push_back(row.id.slot);
}

void Table::add_row(RowState& row) {
  row.row = static_cast<std::uint32_t>(rows_.size());
  rows_.push_back(&row);
  for (auto& column : columns_) column.resize(row.row + 1);
  give_identity(row);
  aggregates_changed(row);
  mark(row.row, whole_row);
}

void Table::rename_row(RowState& row) {
  // The slot stays: the instances that point to it move along. Its generation is what tells old rows apart.
  row.id.generation = ++generation_of_slot_[row.id.slot];
  row.awaits_code = false;
  aggregates_changed(row);
  mark(row.row, whole_row);
}

void Table::remove_row(RowState& row) {
  const auto hole = row.row;
  const auto last = static_cast<std::uint32_t>(rows_.size() - 1);
  for (std::uint32_t position = 0; position < columns_.size(); ++position) {
    auto& column = columns_[position];
    if (dictionaries_[position]) dictionaries_[position]->release(column.at<std::uint32_t>(hole));
    if (column.type() == GANTRY_TYPE_SET) sets_.release(column.at<std::uint32_t>(hole));
    if (hole != last) column.copy_cell(column, last, hole);
    column.resize(last);
  }
  take_identity(row);
  rows_[hole] = rows_[last];
  rows_[hole]->row = hole;
  rows_.pop_back();
  if (hole != last) mark(hole, whole_row);
  changes_->any_row_changed(++generation_);
}

RowState* Table::find(EntityId id) const {
  if (id.slot >= row_of_slot_.size() || generation_of_slot_[id.slot] != id.generation) return nullptr;
  return row_of_slot_[id.slot];
}

void Table::set_bool(const RowState& row, std::uint32_t position, std::optional<bool> value) {
  if (columns_[position].set_bool(row.row, value)) mark_cell(row.row, position);
}

void Table::set_i64(const RowState& row, std::uint32_t position, std::optional<std::int64_t> value) {
  if (columns_[position].set_i64(row.row, value)) mark_cell(row.row, position);
}

void Table::set_f64(const RowState& row, std::uint32_t position, std::optional<double> value) {
  if (columns_[position].set_f64(row.row, value)) mark_cell(row.row, position);
}

void Table::set_text(const RowState& row, std::uint32_t position, std::optional<std::string_view> value) {
  auto& column = columns_[position];
  auto& dictionary = *dictionaries_[position];
  const auto had = column.at<std::uint32_t>(row.row);
  if (column.valid(row.row) == value.has_value() && dictionary.text(had) == value.value_or(std::string_view())) return;
  std::optional<std::uint32_t> code;
  if (value) code = dictionary.acquire(*value);
  column.set_code(row.row, code);
  dictionary.release(had);
  mark_cell(row.row, position);
  if (dictionary.wasteful()) column.recode(dictionary.rebuild());
}

void Table::set_json(const RowState& row, std::uint32_t position, TextPointer value) {
  if (columns_[position].set_json(row.row, std::move(value))) mark_cell(row.row, position);
}

void Table::aggregates_changed(RowState& row) {
  if (!std::exchange(row.awaits_code, true)) uncoded_.push_back(row.id);
  mark_cell(row.row, position_of(CoreColumn::aggregates));
}

// A row that goes through many aggregates between two copies has one set for it.
void Table::code_sets() {
  auto& column = columns_[position_of(CoreColumn::aggregates)];
  for (const auto id : std::exchange(uncoded_, {})) {
    auto* row = find(id);
    if (row == nullptr) continue;
    row->awaits_code = false;
    const auto had = column.at<std::uint32_t>(row->row);
    column.set_code(row->row, sets_.acquire(row->host->aggregates));
    sets_.release(had);
  }
  if (sets_.wasteful()) column.recode(sets_.rebuild());
}

void Table::instances_changed(const RowState& row) {
  mark_cell(row.row, position_of(CoreColumn::instances));
}

const TextPointer& Table::json_text(const RowState& row, std::uint32_t position) const {
  return columns_[position].text(row.row);
}

void Table::mark_placement(TableChanges& changes, const gantry_uuid& instance, std::size_t most) {
  if (changes.every_placement) return;
  if (changes.placements.size() > most) {
    changes.every_placement = true;
    changes.placements = {};
  } else {
    changes.placements.push_back(instance);
  }
}

void Table::placement_changed(const gantry_uuid& instance) {
  if (!tracks_placements_) return;
  changes_->no_row_changed(++generation_);
  constexpr std::size_t spare = 1024;
  for (const auto& kept : copies_) mark_placement(kept->pending, instance, kept->copy->placements_.size() + spare);
  if (noted_) mark_placement(*noted_, instance, noted_placements);
}

void Table::put_aggregate(const Aggregate& aggregate) {
  sets_.put(aggregate);
  if (noted_) noted_->aggregates.insert(aggregate.id);
  changes_->any_row_changed(++generation_);
}

void Table::remove_aggregate(std::int64_t id) {
  sets_.remove(id);
  if (noted_) noted_->aggregates.insert(id);
  changes_->any_row_changed(++generation_);
}

std::uint32_t Table::add_column(ColumnSpec column) {
  const auto position = static_cast<std::uint32_t>(columns_.size());
  columns_.emplace_back(column.type, column.nullable);
  columns_.back().resize(static_cast<std::uint32_t>(rows_.size()));
  dictionaries_.push_back(column.type == GANTRY_TYPE_STRING ? std::make_unique<Dictionary>() : nullptr);
  schema_ = schema_->with(std::move(column));
  changes_->any_row_changed(++generation_);
  return position;
}

}  // namespace gantry::fleet
