// SPDX-License-Identifier: Apache-2.0
//
// What the fit of most instances reads of the NUMA cells of a block's hosts, side by side for all of them. Hosts whose fit
// reads more than that, or depends on the order of trials, are known to be such.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hosts/host_table.hpp"
#include "numa/topology.hpp"

namespace filter_driver {

struct cell_columns {
  static constexpr std::size_t most_cells = 2;
  static constexpr std::size_t most_sizes = 4;
  using column = std::array<double, block_rows>;

  // Of the host's first cell, and of its second. A host without the cell has -1 KiB of all pages, which hold nothing.
  struct cell {
    column dedicated_cpus;  // that are free
    column free_memory;     // MiB
    column memory;
    column memory_usage;
    column cpus;  // shared ones
    column cpu_usage;
    column smallest_pages;                      // KiB in all of the smallest pages, used or not; or all of the memory
    std::array<column, most_sizes> free_pages;  // KiB in free pages, by `sizes`
  };
  std::array<cell, most_cells> cells;
  std::array<std::int64_t, most_sizes> sizes{};  // KiB, as the hosts have shown them; 0: none yet
  // Which of `sizes`, not being the smallest of the host, it has free pages of. Several also where the smallest sizes of
  // its cells differ.
  static constexpr double no_size = -1;
  static constexpr double several_sizes = -2;
  column large_pages;
  std::array<std::uint64_t, block_rows / 64> told{};  // the hosts of which the columns say all

  // No cells: the host has no topology.
  void set(std::size_t row, std::span<const host_cell> host);
  // A host that the columns say nothing of.
  void set_untold(std::size_t row) { told[row / 64] &= ~(std::uint64_t{1} << row % 64); }

 private:
  bool say(std::size_t row, std::span<const host_cell> host);
  bool say_pages(std::size_t row, std::size_t which, const host_cell& host);
  std::size_t place_of(std::int64_t size_kb);
};

}  // namespace filter_driver
