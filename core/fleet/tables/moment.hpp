// SPDX-License-Identifier: Apache-2.0
//
// The fleet as it was at one instant: an immutable view of every topic. Cheap to take and to copy.
//
//   topic    "compute", "volume", ...: hosts that one kind of service runs on
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
  std::string_view node;  // empty: none
};

class Table;
class MomentState;

// [any thread] Texts and views live as long as any copy of the Moment.
class Moment {
 public:
  // nullptr: no such topic.
  const gantry_view* view(std::string_view topic) const;
  // Returns the column of that name. nullptr if the view has none. The view must be one of this moment and not a
  // derived one, whose columns have the positions of its origin.
  const gantry_column* column(const gantry_view& view, std::string_view name) const;
  RowName row_name(const gantry_view& view, std::uint32_t row) const;
  // Returns the row of a host and node in a topic's view. An empty node means the host's only or first row.
  std::optional<std::uint32_t> row_of(std::string_view topic, std::string_view host, std::string_view node) const;
  // Returns the row of the compute topic that an instance runs on or has claimed.
  std::optional<std::uint32_t> locate(const gantry_uuid& instance) const;
  std::vector<std::string_view> topics() const;
  // Writes to `rows` the rows that differ between a view of this moment and the topic's view of generation `since`,
  // some more than once. Returns how many were written. nullopt if any row may differ, or if `rows` is too short.
  // Without `with_times`, leaves out rows that differ in last_seen_up and updated_at alone.
  std::optional<std::size_t> rows_changed(const gantry_view& view, std::uint64_t since, bool with_times,
                                          std::span<std::uint32_t> rows) const;

 private:
  friend class Fleet;
  std::shared_ptr<const MomentState> state_;
};

}  // namespace gantry::fleet
