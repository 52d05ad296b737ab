// SPDX-License-Identifier: Apache-2.0
//
// The row that each change of a topic's table touched. A table numbers its changes: the number is its generation. A
// reader that caches values of rows asks the log which rows to read again. Holds the latest 65,536 changes, older ones
// are overwritten. Written under the fleet's lock, read without it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gantry::fleet {

class ChangeLog {
 public:
  // Call one of these three once for each generation, in order. `times_only` means that nothing but last_seen_up and
  // updated_at of the row changed.
  void row_changed(std::uint64_t generation, std::uint32_t row, bool times_only = false) {
    put(generation, times_only ? row | times : row);
  }
  void no_row_changed(std::uint64_t generation) { put(generation, no_row); }
  void any_row_changed(std::uint64_t generation) { put(generation, any_row); }

  // [any thread] Writes to `rows` the rows that changed after generation `since` up to generation `until`. A row may
  // appear more than once. Returns how many entries were written. nullopt if `rows` is too short, the log no longer
  // holds all of these generations, or any row may have changed. Without `with_times`, leaves out the rows that changed
  // in last_seen_up and updated_at alone.
  std::optional<std::size_t> rows_between(std::uint64_t since, std::uint64_t until, bool with_times,
                                          std::span<std::uint32_t> rows) const;

 private:
  static constexpr std::size_t places = 65'536;
  static constexpr std::uint32_t no_row = UINT32_MAX;
  static constexpr std::uint32_t any_row = UINT32_MAX - 1;
  static constexpr std::uint32_t times = std::uint32_t{1} << 31;  // marks a row of which only times changed

  void put(std::uint64_t generation, std::uint32_t what);

  std::atomic<std::uint64_t> latest_{0};  // the newest generation; its entry may not be written yet
  // By generation modulo `places`: a row, with or without `times`, or no_row or any_row.
  std::array<std::atomic<std::uint32_t>, places> what_{};
};

}  // namespace gantry::fleet
