// SPDX-License-Identifier: Apache-2.0
//
// One topic as it was, made again from entries of the history.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/fleet/tables/table_copy.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

class FactReader;

class RecalledTopic {
 public:
  explicit RecalledTopic(std::string topic);

  // Applies the body of a whole entry to a new object, or of the next entry to the present state. Fails with internal
  // if the bytes are not what was written; the topic is not to be used then.
  Result<void> apply(std::string_view body);
  // Returns the copy with the present state. Its view has generation 0: drivers keep nothing of what they find in it.
  // Call once, when all entries are applied.
  std::shared_ptr<TableCopy> finish();

 private:
  void read_columns(FactReader& reader);
  void read_told_aggregates(FactReader& reader);
  void read_all_aggregates(FactReader& reader);
  void read_changed_aggregates(FactReader& reader);
  void read_aggregate(FactReader& reader);
  void read_rows(FactReader& reader);
  void read_row(FactReader& reader);
  void read_cell(FactReader& reader, std::uint32_t row);
  void read_value(FactReader& reader, std::uint32_t row, std::uint32_t position);
  void set_text(std::uint32_t row, std::uint32_t position, std::optional<std::string_view> text);
  void set_aggregates(std::uint32_t row, std::uint32_t position);
  void clear_cell(std::uint32_t row, std::uint32_t position);
  void read_places(FactReader& reader);
  void add_column(ColumnSpec column);
  void set_rows(std::uint32_t rows);

  std::shared_ptr<TableCopy> copy_;
  std::vector<std::unique_ptr<Dictionary>> dictionaries_;  // by position; nullptr unless the column is a STRING
  AggregateSets sets_;
  // The slots of the rows: as they were written -> as they are numbered here, without a gap.
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;
  std::set<std::int64_t> aggregates_;    // ids
  std::vector<TextPointer> last_texts_;  // by position: what the entry gave for a JSON column last
  std::vector<gantry_uuid> uuids_;       // in the cell that is being read
  std::vector<std::int64_t> ids_;        // in the last cell with a set
  bool has_ids_ = false;                 // the entry has given a set
  bool is_sound_ = true;                 // false: an entry names what is not there
};

}  // namespace gantry::fleet
