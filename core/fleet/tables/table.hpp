// SPDX-License-Identifier: Apache-2.0
//
// The cells of one topic's hosts as they are now, and the copies of these cells that moments pin. For each copy the
// table notes the cells that changed since the copy was last brought up to date. The next update copies only these
// cells. Rows have no gaps: the last row moves into the place of a removed one. Under the fleet's lock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

// Returns the row that an instance is on now. nullptr if the instance is on no row.
using Locate = std::function<const RowState*(const gantry_uuid&)>;

class Table {
 public:
  // With `tracks_placements`, the copies can locate instances.
  Table(std::string topic, std::shared_ptr<const Schema> schema, bool tracks_placements);

  // ---- rows. A new or renamed row gets a new identity. A renamed row keeps its cells.
  void add_row(RowState& row);
  void rename_row(RowState& row);
  void remove_row(RowState& row);
  // Returns the row with this identity. nullptr if it was removed or renamed.
  RowState* find(EntityId id) const;
  const std::vector<RowState*>& rows() const { return rows_; }

  // ---- cells. `position` is the position of the column. nullopt and nullptr make the cell null.
  void set_bool(const RowState& row, std::uint32_t position, std::optional<bool> value);
  void set_i64(const RowState& row, std::uint32_t position, std::optional<std::int64_t> value);
  void set_f64(const RowState& row, std::uint32_t position, std::optional<double> value);
  void set_text(const RowState& row, std::uint32_t position, std::optional<std::string_view> value);
  void set_json(const RowState& row, std::uint32_t position, TextPointer value);
  // Call after row.host->aggregates changed. The cell gets the code of the set when the next copy is made.
  void aggregates_changed(RowState& row);
  // Call after row.instances changed.
  void instances_changed(const RowState& row);
  const TextPointer& json_text(const RowState& row, std::uint32_t position) const;

  // Call when an instance may have come to a row, moved to another row, or left.
  void placement_changed(const gantry_uuid& instance);
  // Add an aggregate, or change it in more than its hosts, and remove one, after its hosts have left it.
  void put_aggregate(const Aggregate& aggregate);
  void remove_aggregate(std::int64_t id);
  const Schema& schema() const { return *schema_; }
  // Returns the position of the new column.
  std::uint32_t add_column(ColumnSpec column);

  // Returns the number of the table's last change.
  std::uint64_t generation() const { return generation_; }
  // Returns an up-to-date copy. Moves copies that the table no longer needs to `surplus`. The caller frees these after
  // it has released the lock.
  std::shared_ptr<TableCopy> newest(const Locate& locate, std::vector<std::shared_ptr<TableCopy>>& surplus);
  std::size_t copies() const { return copies_.size(); }

  // From now on notes what changes.
  void note_changes() { noted_.emplace(); }
  // Returns what has changed since the last call of forget_changes(). nullptr unless note_changes was called.
  const TableChanges* noted_changes() const { return noted_ ? &*noted_ : nullptr; }
  void forget_changes();

 private:
  // A copy that the table keeps for the next moments.
  struct Kept {
    std::shared_ptr<TableCopy> copy;
    TableChanges pending;
    std::uint64_t last_turn = 0;  // the turn of its last update
  };

  void mark(std::uint32_t row, std::uint64_t columns);
  void mark_cell(std::uint32_t row, std::uint32_t position);
  void mark_row(TableChanges& changes, std::uint32_t row, std::uint64_t columns) const;
  static void mark_placement(TableChanges& changes, const gantry_uuid& instance, std::size_t most);
  void give_identity(RowState& row);
  void take_identity(const RowState& row);

  Kept& choose();
  Kept& make_copy();
  void bring_up_to_date(Kept& kept, const Locate& locate);
  void take_columns(TableCopy& copy) const;
  void take_rows(TableCopy& copy) const;
  void take_dictionaries(TableCopy& copy) const;
  void code_sets();
  void take_sets(TableCopy& copy);
  void take_cells(Kept& kept) const;
  bool take_row(TableCopy& copy, std::uint32_t row, std::uint64_t columns) const;
  void take_cell(TableCopy& copy, std::uint32_t row, std::uint32_t position) const;
  void take_placements(Kept& kept, const Locate& locate) const;
  void take_every_placement(TableCopy& copy, const Locate& locate) const;
  void put_aside_surplus(std::vector<std::shared_ptr<TableCopy>>& surplus);

  std::string topic_;
  bool tracks_placements_;
  std::shared_ptr<const Schema> schema_;
  std::vector<ColumnStorage> columns_;
  std::vector<std::unique_ptr<Dictionary>> dictionaries_;  // by position; nullptr unless the column is a STRING
  AggregateSets sets_;
  std::vector<EntityId> uncoded_;  // rows whose set of aggregates has changed
  std::vector<RowState*> rows_;
  std::vector<RowState*> row_of_slot_;
  std::vector<std::uint32_t> generation_of_slot_;
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t generation_ = 1;
  const std::shared_ptr<ChangeLog> changes_ = std::make_shared<ChangeLog>();
  std::uint64_t turn_ = 0;  // number of updates of any copy
  std::vector<std::unique_ptr<Kept>> copies_;
  Kept* newest_ = nullptr;
  std::optional<TableChanges> noted_;
};

}  // namespace gantry::fleet
