// SPDX-License-Identifier: Apache-2.0
//
// Columns of the NUMA cells of a block's hosts, with the values that most fits read. A host is marked as not
// described if its fit needs more values or depends on the order in which the fit tries the cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hosts/host_table.hpp"
#include "numa/topology.hpp"

namespace filter_driver {

struct cell_columns {
  static constexpr std::size_t most_cells = 2;  // cells of a host
  static constexpr std::size_t most_sizes = 4;  // page sizes of all hosts together
  using column = std::array<double, block_rows>;

  // The columns of one cell of each host, the first or the second cell. A host without this cell has -1 KiB in all
  // columns of pages, so no memory fits.
  struct cell {
    column dedicated_cpus;  // free dedicated CPUs
    column free_memory;     // MiB
    column memory;
    column memory_usage;
    column cpus;  // shared CPUs
    column cpu_usage;
    column smallest_pages;  // KiB in all of the smallest pages, used or not. Without pages: all memory
    column free_smallest;   // KiB in the smallest pages that are free. Without pages: free memory
    std::array<column, most_sizes> free_pages;  // KiB in free pages, one column for each of `sizes`
  };
  std::array<cell, most_cells> cells;
  std::array<std::int64_t, most_sizes> sizes{};  // KiB, in the order in which the hosts reported them; 0: unused
  // Values of large_pages: no_size if no pages above the host's smallest size are free. several_sizes if pages of more
  // than one size above the smallest are free, or if the smallest sizes of the host's two cells differ.
  static constexpr double no_size = -1;
  static constexpr double several_sizes = -2;
  column large_pages;  // the index in `sizes` of the host's only size above its smallest one that has free pages
  std::array<std::uint64_t, block_rows / 64> told{};  // one bit for each host that the columns describe completely

  // Fills the columns of a host. `host` is empty if the host has no topology.
  void set(std::size_t row, std::span<const host_cell> host);
  // Marks a host as not described by the columns. The fit must then read the host's topology itself.
  void set_untold(std::size_t row) { told[row / 64] &= ~(std::uint64_t{1} << row % 64); }

 private:
  // Fill the columns of a host, or of the pages of its cell `which`. Return false if the columns cannot describe the
  // host.
  bool say(std::size_t row, std::span<const host_cell> host);
  bool say_pages(std::size_t row, std::size_t which, const host_cell& host);
  std::size_t place_of(std::int64_t size_kb);
};

}  // namespace filter_driver
