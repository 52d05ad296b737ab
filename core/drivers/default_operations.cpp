// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/default_operations.hpp"

#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/view_rows.hpp"

namespace gantry::drivers {
namespace {

// Returns 64 rows of a BOOL column as one word. A null counts as false.
std::uint64_t word_of(const gantry_column* column, std::uint64_t word) {
  if (column == nullptr || column->type != GANTRY_TYPE_BOOL) return 0;
  const std::uint64_t values = static_cast<const std::uint64_t*>(column->values)[word];
  return column->validity == nullptr ? values : values & column->validity[word];
}

}  // namespace

void default_hosts_up(DriverCall::State& state, const gantry_view& view, std::uint64_t* rows_out) {
  const gantry_column* up = find_column(state, view, "up");
  const gantry_column* disabled = find_column(state, view, "disabled");
  for (std::uint64_t word = 0; word < bitmap_words(view.rows); ++word) {
    rows_out[word] = word_of(up, word) & ~word_of(disabled, word);
  }
  clear_beyond(rows_out, view.rows);
}

void default_group_hosts(const gantry_group& group, const gantry_view& view, std::uint64_t* rows_out) {
  for (std::uint64_t member = 0; member < group.member_row_count; ++member) {
    if (group.member_rows[member] < view.rows) set_bit(rows_out, group.member_rows[member]);
  }
}

Error chooses_no_hosts(const std::string& driver) {
  return {ErrorCode::unsupported,
          "driver '" + driver + "' does not choose hosts: expected select_destinations, found methods of its own alone",
          {}};
}

}  // namespace gantry::drivers
