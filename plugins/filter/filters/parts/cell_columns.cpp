// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/cell_columns.hpp"

#include <algorithm>

namespace filter_driver {
namespace {

// The number of pages read from JSON, times this size, fits in 64 bits.
constexpr std::int64_t largest_kb = std::int64_t{1} << 20;

std::int64_t smallest_of(const host_cell& host) {
  return host.large_first.empty() ? 0 : host.mempages[host.large_first.back()].size_kb;
}

}  // namespace

void cell_columns::set(std::size_t row, std::span<const host_cell> host) {
  const bool says_all = say(row, host);
  set_untold(row);
  if (says_all) told[row / 64] |= std::uint64_t{1} << row % 64;
}

// Requires cells whose ids equal their positions. Then the cell ids that Nova remembers cannot be mixed up.
bool cell_columns::say(std::size_t row, std::span<const host_cell> host) {
  if (host.size() > most_cells) return false;
  large_pages[row] = no_size;
  for (std::size_t which = 0; which < most_cells; ++which) {
    cell& into = cells[which];
    into.smallest_pages[row] = -1;
    into.free_smallest[row] = -1;
    for (column& pages : into.free_pages) pages[row] = -1;
    if (which >= host.size()) continue;
    const host_cell& from = host[which];
    if (from.id != static_cast<std::int64_t>(which) || from.cores == 0) return false;
    into.dedicated_cpus[row] = std::min(from.free_pcpus, from.free_threads);
    into.free_memory[row] = static_cast<double>(from.free_memory());
    into.memory[row] = static_cast<double>(from.memory);
    into.memory_usage[row] = static_cast<double>(from.memory_usage);
    into.cpus[row] = from.cpus;
    into.cpu_usage[row] = static_cast<double>(from.cpu_usage);
    if (!say_pages(row, which, from)) return false;
  }
  // After the first cell has chosen a size, the second must use the same size. That size may be its smallest one.
  if (host.size() == 2 && smallest_of(host[0]) != smallest_of(host[1])) large_pages[row] = several_sizes;
  return true;
}

bool cell_columns::say_pages(std::size_t row, std::size_t which, const host_cell& host) {
  cell& into = cells[which];
  into.smallest_pages[row] = static_cast<double>(host.memory * kib_per_mib);
  into.free_smallest[row] = static_cast<double>(host.free_memory() * kib_per_mib);
  for (std::size_t i = 0; i < host.large_first.size(); ++i) {
    const page_pool& pages = host.mempages[host.large_first[i]];
    const bool is_smallest = i + 1 == host.large_first.size();
    const bool is_double = !is_smallest && host.mempages[host.large_first[i + 1]].size_kb == pages.size_kb;
    if (is_double || pages.size_kb > largest_kb) return false;
    const std::size_t place = place_of(pages.size_kb);
    if (place == most_sizes) return false;
    const std::int64_t free = pages.total - pages.used - pages.reserved.value_or(0);
    into.free_pages[place][row] = static_cast<double>(free * pages.size_kb);
    if (is_smallest) {
      if (kib_per_mib % pages.size_kb != 0) return false;  // the requested memory may not be a whole number of pages
      into.smallest_pages[row] = static_cast<double>(pages.total * pages.size_kb);
      into.free_smallest[row] = into.free_pages[place][row];
    } else if (free > 0) {
      const auto named = static_cast<double>(place);
      large_pages[row] = large_pages[row] == no_size || large_pages[row] == named ? named : several_sizes;
    }
  }
  return true;
}

// Returns the index of the size in `sizes`. Returns most_sizes if the table is full.
std::size_t cell_columns::place_of(std::int64_t size_kb) {
  for (std::size_t place = 0; place < most_sizes; ++place) {
    if (sizes[place] == 0) sizes[place] = size_kb;
    if (sizes[place] == size_kb) return place;
  }
  return most_sizes;
}

}  // namespace filter_driver
