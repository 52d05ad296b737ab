// SPDX-License-Identifier: Apache-2.0
//
// The row that each generation of a topic's table changed, for readers that cache values of rows and look only at
// changed rows again. Holds the latest 65,536 changes. Written under the fleet's lock, read without it.
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
  // Call once for each generation, in order. `times_only`: only last_seen_up and updated_at of the row changed.
  void row_changed(std::uint64_t generation, std::uint32_t row, bool times_only = false) {
    put(generation, times_only ? row | times : row);
  }
  void no_row_changed(std::uint64_t generation) { put(generation, no_row); }
  void any_row_changed(std::uint64_t generation) { put(generation, any_row); }

  // [any thread] Writes to `rows` the rows that changed after generation `since` up to generation `until`, some more
  // than once. Returns how many. nullopt if `rows` is too short, `since` is too long ago, or any row may have changed.
  // `with_times`: also the rows of which only times changed.
  std::optional<std::size_t> rows_between(std::uint64_t since, std::uint64_t until, bool with_times,
                                          std::span<std::uint32_t> rows) const;

 private:
  static constexpr std::size_t places = 65'536;
  static constexpr std::uint32_t no_row = UINT32_MAX;
  static constexpr std::uint32_t any_row = UINT32_MAX - 1;
  static constexpr std::uint32_t times = std::uint32_t{1} << 31;

  void put(std::uint64_t generation, std::uint32_t what);

  std::atomic<std::uint64_t> latest_{0};  // its entry may be half written
  std::array<std::atomic<std::uint32_t>, places> what_{};
};

}  // namespace gantry::fleet
