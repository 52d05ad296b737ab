// SPDX-License-Identifier: Apache-2.0
//
// The fleet as it was at one instant: an immutable view of every topic. Cheap to take and to copy; what it pins is
// never touched while it lives.
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

// [any thread] Texts and views live as long as a copy of the Moment does.
class Moment {
 public:
  // nullptr: no such topic.
  const gantry_view* view(std::string_view topic) const;
  // By name; nullptr: the view has none. Works for views of this moment (not for derived ones, whose columns keep the
  // same positions as their origin's).
  const gantry_column* column(const gantry_view& view, std::string_view name) const;
  RowName row_name(const gantry_view& view, std::uint32_t row) const;
  // Row of a host and node in a topic's view; an empty node is the host's only or first row.
  std::optional<std::uint32_t> row_of(std::string_view topic, std::string_view host, std::string_view node) const;
  // Row of the compute topic on which an instance is or is claimed.
  std::optional<std::uint32_t> locate(const gantry_uuid& instance) const;
  std::vector<std::string_view> topics() const;
  // Rows of a view of this moment in which it differs from the topic's view of generation `since`, some more than once; how
  // many were written. nullopt: it may be any, or these are more than `rows` holds. Without `with_times` those are left out
  // of which last_seen_up and updated_at alone are others.
  std::optional<std::size_t> rows_changed(const gantry_view& view, std::uint64_t since, bool with_times,
                                          std::span<std::uint32_t> rows) const;

 private:
  friend class Fleet;
  std::shared_ptr<const MomentState> state_;
};

}  // namespace gantry::fleet
