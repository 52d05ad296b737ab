// SPDX-License-Identifier: Apache-2.0
//
// The fleet as it was at one instant: an immutable view of every topic. Cheap to take and to copy.
//
//   topic    "compute", "volume" and so on: the hosts that one kind of service runs on
//   table    the topic's hosts as they are now, one row for each (host, node)
//   copy     a complete copy of the table's cells; the table keeps a few and brings an unpinned one up to date
//   moment   pins one copy of each topic, all of the same instant; a pinned copy never changes
//   view     a gantry_view onto one copy: the columns as a driver reads them
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gantry/driver.h"

namespace gantry::fleet {

struct RowName {
  std::string_view host;
  std::string_view node;  // empty if the row has none
};

class Table;
class MomentState;

// [any thread] The texts and views that it returns live as long as any copy of the Moment.
class Moment {
 public:
  // Returns the view of a topic. nullptr if there is no such topic.
  const gantry_view* view(std::string_view topic) const;
  // Returns the column of that name. nullptr if there is none, or if the view is not one that view() returns. The
  // columns of a derived view have the positions of the view that it derives from.
  const gantry_column* column(const gantry_view& view, std::string_view name) const;
  // Returns the names of a row. Empty if there is no such row, or if the view is not one that view() returns.
  RowName row_name(const gantry_view& view, std::uint32_t row) const;
  // Returns the row of a host and node in a topic's view. An empty node means the host's row without a node, or else
  // its row with the lowest node. nullopt if there is no such row.
  std::optional<std::uint32_t> row_of(std::string_view topic, std::string_view host, std::string_view node) const;
  // Returns the row of the compute topic that an instance runs on or has claimed. nullopt if there is none.
  std::optional<std::uint32_t> locate(const gantry_uuid& instance) const;
  std::vector<std::string_view> topics() const;
  // Writes to `rows` the rows that differ between a view of this moment and the earlier view of the same topic whose
  // generation is `since`. A row may appear more than once. Returns how many entries were written. nullopt if any row
  // may differ, or if `rows` is too short. Without `with_times`, leaves out rows that differ in last_seen_up and
  // updated_at alone.
  std::optional<std::size_t> rows_changed(const gantry_view& view, std::uint64_t since, bool with_times,
                                          std::span<std::uint32_t> rows) const;

  // Returns the number of the moment in the history of the fleet (Fleet::keep_history). 0 if no history is kept, or if
  // the moment is one that was recalled. Moments that have the same number are equal.
  std::uint64_t number() const;

 private:
  friend class Fleet;
  friend class RecalledFleet;
  friend struct FactChunk whole_facts(const Moment& moment);
  std::shared_ptr<const MomentState> state_;
};

}  // namespace gantry::fleet
