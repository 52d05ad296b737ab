// SPDX-License-Identifier: Apache-2.0
//
// Which row each generation of a topic's table changed, for readers that keep something of each row and want to know what
// to look at again. The latest 65,536 changes are known. Written under the fleet's lock, read without it.
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
  // Generations in their order, each once. `times_only`: the row holds the same but for when it was seen and reported.
  void row_changed(std::uint64_t generation, std::uint32_t row, bool times_only = false) {
    put(generation, times_only ? row | times : row);
  }
  void no_row_changed(std::uint64_t generation) { put(generation, no_row); }
  void any_row_changed(std::uint64_t generation) { put(generation, any_row); }

  // [any thread] The rows that changed after generation `since`, up to and with `until`, which has been put: how many it
  // wrote, some more than once. nullopt: these are more than `rows` holds, or too long ago, or it may be any.
  std::optional<std::size_t> rows_between(std::uint64_t since, std::uint64_t until, bool with_times,
                                          std::span<std::uint32_t> rows) const;

 private:
  static constexpr std::size_t places = 65'536;
  static constexpr std::uint32_t no_row = UINT32_MAX;
  static constexpr std::uint32_t any_row = UINT32_MAX - 1;
  static constexpr std::uint32_t times = std::uint32_t{1} << 31;

  void put(std::uint64_t generation, std::uint32_t what);

  std::atomic<std::uint64_t> latest_{0};  // whose place is perhaps being written
  std::array<std::atomic<std::uint32_t>, places> what_{};
};

}  // namespace gantry::fleet
