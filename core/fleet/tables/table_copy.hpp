// SPDX-License-Identifier: Apache-2.0
//
// One complete copy of a topic's hosts, and the view onto it that drivers read. A pinned copy never changes: reading it
// is [any thread]. The table brings an unpinned copy up to date under the fleet's lock.
#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/cells/column_storage.hpp"
#include "core/fleet/cells/dictionary.hpp"
#include "core/fleet/cells/uuid_hash.hpp"
#include "core/fleet/tables/aggregate_sets.hpp"
#include "core/fleet/tables/change_log.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/fleet/tables/schema.hpp"
#include "core/fleet/tables/uuid_lists.hpp"

namespace gantry::fleet {

// Identifies a row as long as its host and node stay the same, even if the row's index changes. The slot of a removed
// row is given to another row under a new generation.
struct EntityId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const EntityId&, const EntityId&) = default;
};

// The slot of the row that each instance is on.
using PlacementMap = boost::unordered_flat_map<gantry_uuid, std::uint32_t, UuidHash, UuidEqual>;

// Finds rows of a copy by host and node. The index is built at the first lookup.
class RowIndex {
 public:
  std::optional<std::uint32_t> find(const class TableCopy& copy, std::string_view host, std::string_view node) const;
  // Call after the rows of the copy or their names changed. The next lookup builds the index again.
  void forget();

 private:
  mutable std::mutex mutex_;
  mutable bool ready_ = false;
  mutable boost::unordered_flat_map<std::string, std::uint32_t> rows_;
};

// The changes of a table that a reader does not have yet.
struct TableChanges {
  std::vector<std::uint64_t> columns_of_row;  // by row: bit p is column p changed, bit 63 any column from 63 on
  std::vector<std::uint32_t> rows;            // rows that have a bit set
  std::vector<gantry_uuid> placements;        // instances to locate again
  bool every_placement = false;               // all instances are to be located again
  std::set<std::int64_t> aggregates;          // ids of those that came, went or changed in more than their hosts

  bool empty() const { return rows.empty() && placements.empty() && !every_placement && aggregates.empty(); }
};

class TableCopy {
 public:
  TableCopy(std::string topic, std::shared_ptr<const ChangeLog> changes);
  TableCopy(const TableCopy&) = delete;
  TableCopy& operator=(const TableCopy&) = delete;

  const std::string& topic() const { return topic_; }
  const gantry_view& view() const { return *view_; }
  const gantry_column* column(std::string_view name) const;
  RowName row_name(std::uint32_t row) const;
  std::optional<std::uint32_t> row_of(std::string_view host, std::string_view node) const;
  std::optional<std::uint32_t> locate(const gantry_uuid& instance) const;
  EntityId entity(std::uint32_t row) const { return entities_[row]; }
  const ChangeLog& changes() const { return *changes_; }

  // Pinning needs the fleet's lock, unpinning does not. A copy is idle if nobody has pinned it.
  void pin() { pins_.fetch_add(1, std::memory_order_relaxed); }
  void unpin() { pins_.fetch_sub(1, std::memory_order_release); }
  bool idle() const { return pins_.load(std::memory_order_acquire) == 0; }

 private:
  friend class Table;
  friend class TopicWriter;    // in the history
  friend class RecalledTopic;  // in the history
  // Makes the view point at the present memory of the columns, and gives it a generation.
  void describe(std::uint64_t generation);
  gantry_column describe_column(std::uint32_t position) const;

  // The array of a dictionary, of which this copy reads the first `count` texts.
  struct HeldDictionary {
    std::shared_ptr<const DictionaryArray> array;
    std::uint32_t count = 0;
  };

  std::string topic_;
  std::shared_ptr<const ChangeLog> changes_;
  std::atomic<std::uint32_t> pins_{0};
  std::uint32_t rows_ = 0;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const Schema> schema_;
  std::vector<ColumnStorage> columns_;
  std::vector<HeldDictionary> dictionaries_;  // by position; array is nullptr unless the column is a STRING
  std::shared_ptr<const AggregateList> aggregates_;
  ShownSets sets_;
  std::uint64_t sets_epoch_ = 0;
  UuidLists instances_;
  std::vector<EntityId> entities_;
  std::vector<std::uint32_t> row_of_slot_;
  PlacementMap placements_;
  RowIndex index_;
  // A view and the columns that it describes: in the memory of cells, which an isolated driver sees.
  std::vector<gantry_column, CellAllocator<gantry_column>> described_;
  TextPointer shown_topic_;
  std::unique_ptr<gantry_view, FreeCells> view_;
};

// The content of a Moment: a copy of each topic, sorted by topic. Pins the copies as long as it lives.
class MomentState {
 public:
  MomentState(std::vector<std::shared_ptr<TableCopy>> copies, std::uint64_t number);
  ~MomentState();
  MomentState(const MomentState&) = delete;
  MomentState& operator=(const MomentState&) = delete;

  const std::vector<std::shared_ptr<TableCopy>>& copies() const { return copies_; }
  const TableCopy* find(std::string_view topic) const;
  const TableCopy* find(const gantry_view& view) const;
  std::uint64_t number() const { return number_; }

 private:
  std::vector<std::shared_ptr<TableCopy>> copies_;
  std::uint64_t number_;
};

constexpr std::string_view compute_topic = "compute";

}  // namespace gantry::fleet
