// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/history/recalled_topic.hpp"

#include <algorithm>
#include <utility>

#include "core/fleet/history/fact_bytes.hpp"
#include "core/fleet/history/topic_facts_form.hpp"

namespace gantry::fleet {

namespace {

// No fleet has as many columns, or cells in all rows together. Larger numbers are damage, and would ask for too much memory.
constexpr std::uint64_t most_columns = 1 << 14;
constexpr std::uint64_t most_cells = 1 << 26;

}  // namespace

RecalledTopic::RecalledTopic(std::string topic)
    : copy_(std::make_shared<TableCopy>(std::move(topic), std::make_shared<ChangeLog>())) {
  copy_->schema_ = std::make_shared<Schema>();
  for (const auto& spec : copy_->schema_->columns()) {
    copy_->columns_.emplace_back(spec.type, spec.nullable);
    dictionaries_.push_back(spec.type == GANTRY_TYPE_STRING ? std::make_unique<Dictionary>() : nullptr);
  }
}

void RecalledTopic::add_column(ColumnSpec column) {
  copy_->columns_.emplace_back(column.type, column.nullable);
  copy_->columns_.back().resize(copy_->rows_);
  dictionaries_.push_back(column.type == GANTRY_TYPE_STRING ? std::make_unique<Dictionary>() : nullptr);
  copy_->schema_ = copy_->schema_->with(std::move(column));
}

Result<void> RecalledTopic::apply(std::string_view body) {
  FactReader reader(body);
  last_texts_.clear();
  read_columns(reader);
  has_ids_ = false;
  read_told_aggregates(reader);
  read_rows(reader);
  read_places(reader);
  if (is_sound_ && reader.is_whole() && reader.is_at_end()) return {};
  return Error{ErrorCode::internal, "the history of topic " + copy_->topic() + " is damaged", {}};
}

void RecalledTopic::read_columns(FactReader& reader) {
  for (auto left = reader.count_of_things(); left != 0 && reader.is_whole(); --left) {
    ColumnSpec column;
    column.name = reader.text();
    column.type = static_cast<std::int32_t>(reader.integer());
    column.nullable = reader.byte() != 0;
    // Further columns have types that a driver may declare, or are image_properties.
    const bool is_declared = column.type >= GANTRY_TYPE_BOOL && column.type <= GANTRY_TYPE_STRING;
    is_sound_ = is_sound_ && (is_declared || column.type == GANTRY_TYPE_JSON) &&
                copy_->columns_.size() < most_columns && !copy_->schema_->find(column.name) &&
                (copy_->columns_.size() + 1) * copy_->rows_ <= most_cells;
    if (!is_sound_) return;
    add_column(std::move(column));
  }
}

void RecalledTopic::read_told_aggregates(FactReader& reader) {
  switch (static_cast<ToldAggregates>(reader.byte())) {
    case ToldAggregates::none: return;
    case ToldAggregates::all: return read_all_aggregates(reader);
    case ToldAggregates::changed: return read_changed_aggregates(reader);
  }
  is_sound_ = false;
}

void RecalledTopic::read_all_aggregates(FactReader& reader) {
  for (const auto id : std::exchange(aggregates_, {})) sets_.remove(id);
  for (auto left = reader.count_of_things(); left != 0 && reader.is_whole(); --left) read_aggregate(reader);
}

void RecalledTopic::read_changed_aggregates(FactReader& reader) {
  for (auto left = reader.count_of_things(); left != 0 && reader.is_whole(); --left) {
    const auto id = reader.integer();
    sets_.remove(id);
    aggregates_.erase(id);
  }
  for (auto left = reader.count_of_things(); left != 0 && reader.is_whole(); --left) read_aggregate(reader);
}

void RecalledTopic::read_aggregate(FactReader& reader) {
  Aggregate aggregate;
  aggregate.id = reader.integer();
  aggregate.uuid = reader.text();
  aggregate.name = reader.text();
  for (auto pairs = reader.count_of_things(); pairs != 0 && reader.is_whole(); --pairs) {
    const auto key = reader.text();
    aggregate.metadata.emplace(key, reader.text());
  }
  sets_.put(aggregate);
  aggregates_.insert(aggregate.id);
}

void RecalledTopic::set_rows(std::uint32_t rows) {
  for (auto row = rows; row < copy_->rows_; ++row) {
    for (std::uint32_t position = 0; position < dictionaries_.size(); ++position) {
      const auto& column = copy_->columns_[position];
      if (dictionaries_[position]) dictionaries_[position]->release(column.at<std::uint32_t>(row));
      if (column.type() == GANTRY_TYPE_SET) sets_.release(column.at<std::uint32_t>(row));
    }
  }
  for (auto& column : copy_->columns_) column.resize(rows);
  copy_->instances_.resize(rows);
  copy_->entities_.resize(rows);
  copy_->rows_ = rows;
}

// Each row that is new is described.
void RecalledTopic::read_rows(FactReader& reader) {
  const auto rows = reader.count();
  const auto described = reader.count_of_things();
  is_sound_ = is_sound_ && rows <= copy_->rows_ + described && rows <= most_cells / copy_->columns_.size();
  if (!is_sound_) return;
  set_rows(static_cast<std::uint32_t>(rows));
  for (auto left = described; left != 0 && is_sound_ && reader.is_whole(); --left) read_row(reader);
}

void RecalledTopic::read_row(FactReader& reader) {
  const auto row = reader.count();
  const auto slot = reader.count();
  is_sound_ = is_sound_ && row < copy_->rows_;
  if (!is_sound_) return;
  const auto [own, is_new] = slots_.try_emplace(slot, static_cast<std::uint32_t>(copy_->row_of_slot_.size()));
  if (is_new) copy_->row_of_slot_.push_back(0);
  copy_->row_of_slot_[own->second] = static_cast<std::uint32_t>(row);
  copy_->entities_[row] = {own->second, 0};
  for (auto left = reader.count_of_things(); left != 0 && is_sound_ && reader.is_whole(); --left)
    read_cell(reader, static_cast<std::uint32_t>(row));
}

void RecalledTopic::set_text(std::uint32_t row, std::uint32_t position, std::optional<std::string_view> text) {
  auto& column = copy_->columns_[position];
  auto& dictionary = *dictionaries_[position];
  const auto had = column.at<std::uint32_t>(row);
  column.set_code(row, text ? std::optional(dictionary.acquire(*text)) : std::nullopt);
  dictionary.release(had);
  if (dictionary.wasteful()) column.recode(dictionary.rebuild());
}

void RecalledTopic::set_aggregates(std::uint32_t row, std::uint32_t position) {
  auto& column = copy_->columns_[position];
  const auto had = column.at<std::uint32_t>(row);
  column.set_code(row, sets_.acquire(ids_));
  sets_.release(had);
  if (sets_.wasteful()) column.recode(sets_.rebuild());
}

void RecalledTopic::clear_cell(std::uint32_t row, std::uint32_t position) {
  auto& column = copy_->columns_[position];
  switch (column.type()) {
    case GANTRY_TYPE_BOOL: column.set_bool(row, {}); break;
    case GANTRY_TYPE_I64: column.set_i64(row, {}); break;
    case GANTRY_TYPE_F64: column.set_f64(row, {}); break;
    case GANTRY_TYPE_STRING: set_text(row, position, {}); break;
    case GANTRY_TYPE_JSON: column.set_json(row, nullptr); break;
    default: is_sound_ = false;
  }
}

void RecalledTopic::read_cell(FactReader& reader, std::uint32_t row) {
  const auto head = reader.count();
  const auto position = head >> cell_kind_bits;
  const auto kind = static_cast<CellKind>(head & ((1U << cell_kind_bits) - 1));
  is_sound_ = is_sound_ && position < copy_->columns_.size();
  if (!is_sound_) return;
  const auto at = static_cast<std::uint32_t>(position);
  switch (kind) {
    case CellKind::null: return clear_cell(row, at);
    case CellKind::value: return read_value(reader, row, at);
    case CellKind::integer:
      is_sound_ = copy_->columns_[at].type() == GANTRY_TYPE_F64;
      if (is_sound_) copy_->columns_[at].set_f64(row, static_cast<double>(reader.integer()));
      return;
    case CellKind::same:
      if (copy_->columns_[at].type() == GANTRY_TYPE_SET) {
        is_sound_ = has_ids_;
        if (is_sound_) set_aggregates(row, at);
        return;
      }
      is_sound_ = at < last_texts_.size() && last_texts_[at] && copy_->columns_[at].type() == GANTRY_TYPE_JSON;
      if (is_sound_) copy_->columns_[at].set_json(row, last_texts_[at]);
      return;
  }
  is_sound_ = false;
}

void RecalledTopic::read_value(FactReader& reader, std::uint32_t row, std::uint32_t position) {
  auto& column = copy_->columns_[position];
  switch (column.type()) {
    case GANTRY_TYPE_BOOL: column.set_bool(row, reader.byte() != 0); break;
    case GANTRY_TYPE_I64: column.set_i64(row, reader.integer()); break;
    case GANTRY_TYPE_F64: column.set_f64(row, reader.raw<double>()); break;
    case GANTRY_TYPE_STRING: set_text(row, position, reader.text()); break;
    case GANTRY_TYPE_JSON:
      last_texts_.resize(copy_->columns_.size());
      last_texts_[position] = Text::make(reader.text());
      column.set_json(row, last_texts_[position]);
      break;
    case GANTRY_TYPE_SET:
      ids_.clear();
      for (auto left = reader.count_of_things(); left != 0; --left) ids_.push_back(reader.integer());
      has_ids_ = true;
      set_aggregates(row, position);
      break;
    case GANTRY_TYPE_UUIDS:
      uuids_.clear();
      for (auto left = reader.count_of_things(); left != 0 && reader.is_whole(); --left)
        uuids_.push_back(reader.raw<gantry_uuid>());
      copy_->instances_.set(column, row, uuids_);
      break;
    default: is_sound_ = false;
  }
}

void RecalledTopic::read_places(FactReader& reader) {
  if (reader.byte() != 0) copy_->placements_.clear();
  const auto places = reader.count_of_things();
  copy_->placements_.reserve(copy_->placements_.size() +
                             std::min<std::uint64_t>(places, reader.left() / sizeof(gantry_uuid)));
  for (auto left = places; left != 0 && reader.is_whole(); --left) {
    const auto instance = reader.raw<gantry_uuid>();
    const auto slot_and_one = reader.count();
    if (slot_and_one == 0) {
      copy_->placements_.erase(instance);
      continue;
    }
    const auto own = slots_.find(slot_and_one - 1);
    is_sound_ = is_sound_ && own != slots_.end();
    if (!is_sound_) return;
    copy_->placements_.insert_or_assign(instance, own->second);
  }
}

std::shared_ptr<TableCopy> RecalledTopic::finish() {
  // A damaged history may leave an instance on a row that has gone: a driver would be sent beyond the last row.
  erase_if(copy_->placements_, [this](const auto& place) {
    const auto row = copy_->row_of_slot_[place.second];
    return row >= copy_->rows_ || copy_->entities_[row].slot != place.second;
  });
  copy_->dictionaries_.resize(dictionaries_.size());
  for (std::uint32_t position = 0; position < dictionaries_.size(); ++position) {
    if (!dictionaries_[position]) continue;
    copy_->dictionaries_[position] = {dictionaries_[position]->array(), dictionaries_[position]->count()};
  }
  copy_->aggregates_ = sets_.list();
  copy_->sets_ = sets_.shown();
  copy_->describe(0);
  return copy_;
}

}  // namespace gantry::fleet
