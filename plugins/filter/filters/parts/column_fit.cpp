// SPDX-License-Identifier: Apache-2.0
#include "filters/parts/column_fit.hpp"

#include <algorithm>

#include "hosts/wide.hpp"

namespace filter_driver {
namespace {

std::uint64_t at_least(const double* numbers, std::size_t count, double wanted) {
  std::uint64_t bits = 0;
  run_wide([&]() __attribute__((always_inline)) {
    bits = bits_of_word(
        count, [wanted](double number) __attribute__((always_inline)) { return number >= wanted; }, numbers);
  });
  return bits;
}

bool is_multiple(std::int64_t memory_kb, std::int64_t size_kb) {
  return size_kb != 0 && memory_kb % size_kb == 0;
}

// Returns the hosts whose free pages of the requested size, or whose free large pages, have room for the memory.
std::uint64_t with_pages(const cell_columns& columns, std::size_t which, std::size_t begin, std::size_t count,
                         std::int64_t pagesize, std::int64_t memory_kb) {
  const cell_columns::cell& cell = columns.cells[which];
  const auto wanted = static_cast<double>(memory_kb);
  std::uint64_t found = 0;
  for (std::size_t place = 0; place < columns.sizes.size(); ++place) {
    const std::int64_t size_kb = columns.sizes[place];
    if (!is_multiple(memory_kb, size_kb) || (pagesize != pagesize_large && pagesize != size_kb)) continue;
    std::uint64_t rows = at_least(&cell.free_pages[place][begin], count, wanted);
    if (pagesize == pagesize_large)
      rows &= equal_in_word(count, &columns.large_pages[begin], static_cast<double>(place));
    found |= rows;
  }
  return found;
}

// Returns whether the columns can decide the instance's fit. Cells must have their positions as ids, so that the cell
// ids that Nova remembers cannot be mixed up. Large pages need some memory, because 0 MiB would fit a size without
// free pages. Dedicated CPUs must not be empty, because Nova takes an empty pinning for a failed one.
bool is_usual(const instance_topology& instance) {
  for (std::size_t i = 0; i < instance.cells.size(); ++i) {
    const instance_cell& cell = instance.cells[i];
    const bool settles =
        cell.cpu_thread_policy == cpu_thread_policy::unset || cell.cpu_thread_policy == cpu_thread_policy::prefer;
    const std::int64_t pagesize = cell.pagesize.value_or(0);
    if (cell.id != static_cast<std::int64_t>(i) || cell.memory < 0 || !settles) return false;
    if (pagesize < 0 && (pagesize != pagesize_large || cell.memory == 0)) return false;
    if (cell.wants_dedicated() && cell.pcpuset.empty()) return false;
  }
  return !instance.cells.empty();
}

}  // namespace

column_fit::cell_need::cell_need(const instance_cell& cell, std::size_t reserved, release rules)
    : memory_kb(cell.memory * kib_per_mib),
      pagesize(cell.pagesize.value_or(0)),
      memory(static_cast<double>(cell.memory)),
      dedicated(static_cast<double>(cell.pcpuset.size() + reserved)),
      shared(static_cast<double>(cell.cpuset.size())),
      wants_dedicated(cell.wants_dedicated()),
      wants_shared(cell.wants_shared()),
      pins_in_free(cell.wants_dedicated() && rules->pinned_memory_by_free_pages) {}

std::optional<column_fit> column_fit::of(const numa_wishes& wishes) {
  const bool asks_devices = wishes.requests != nullptr && !wishes.requests->empty();
  const bool asks_networks =
      wishes.networks != nullptr && (wishes.networks->tunneled || !wishes.networks->physnets.empty());
  if (wishes.rules->fits_numa_as_ocata || wishes.topology == nullptr || wishes.requires_threads) return std::nullopt;
  if (asks_devices || asks_networks) return std::nullopt;
  const instance_topology& instance = *wishes.topology;
  if (!is_usual(instance)) return std::nullopt;
  column_fit fit;
  for (const instance_cell& cell : instance.cells) {
    const bool isolates = fit.needs_.empty() && instance.emulator_threads_policy == "isolate";
    fit.needs_.emplace_back(cell, isolates ? 1 : 0, wishes.rules);
  }
  return fit;
}

std::uint64_t column_fit::hosts_for(const cell_need& need, const cell_columns& columns, std::size_t which,
                                    std::size_t begin, std::size_t count, const double* cpu_ratios,
                                    const double* ram_ratios) {
  const cell_columns::cell& cell = columns.cells[which];
  const auto& smallest = need.pins_in_free ? cell.free_smallest : cell.smallest_pages;
  std::uint64_t rows = need.pagesize == 0 ? at_least(&smallest[begin], count, static_cast<double>(need.memory_kb))
                                          : with_pages(columns, which, begin, count, need.pagesize, need.memory_kb);
  if (need.wants_dedicated) {
    rows &= at_least(&cell.dedicated_cpus[begin], count, need.dedicated);
    if (!need.pins_in_free) rows &= at_least(&cell.free_memory[begin], count, need.memory);
  }
  if (!need.wants_shared) return rows;
  run_wide([&]() __attribute__((always_inline)) {
    const double shared = need.shared;
    const double memory = need.memory;
    rows &= bits_of_word(
        count,
        [shared](double cpus, double used, double ratio)
            __attribute__((always_inline)) { return bool((shared <= cpus) & !(used + shared > cpus * ratio)); },
        &cell.cpus[begin], &cell.cpu_usage[begin], cpu_ratios);
    rows &= bits_of_word(
        count,
        [memory](double all, double used, double ratio)
            __attribute__((always_inline)) { return used + memory <= all * ratio; },
        &cell.memory[begin], &cell.memory_usage[begin], ram_ratios);
  });
  return rows;
}

column_fit::verdicts column_fit::judge(const cell_columns& columns, const block& candidates, const double* cpu_ratios,
                                       const double* ram_ratios) const {
  verdicts found;
  const bool asks_large =
      std::any_of(needs_.begin(), needs_.end(), [](const cell_need& each) { return each.pagesize == pagesize_large; });
  for (std::uint32_t word = 0; word < candidates.words(); ++word) {
    if (candidates.rows[word] == 0) continue;
    const std::size_t offset = std::size_t{word} * 64;
    const std::size_t begin = candidates.first % block_rows + offset;
    const std::size_t count = std::min<std::size_t>(candidates.count - offset, 64);
    const auto hosts = [&](const cell_need& need, std::size_t which) {
      return hosts_for(need, columns, which, begin, count, cpu_ratios + offset, ram_ratios + offset);
    };
    std::uint64_t sure = columns.told[begin / 64];
    run_wide([&]() __attribute__((always_inline)) {
      sure &= bits_of_word(
          count,
          [](double cpu, double ram) __attribute__((always_inline)) { return bool((cpu == cpu) & (ram == ram)); },
          cpu_ratios + offset, ram_ratios + offset);
    });
    if (asks_large) sure &= ~equal_in_word(count, &columns.large_pages[begin], cell_columns::several_sizes);
    found.unsure[word] = ~sure;
    if (needs_.size() > cell_columns::most_cells) continue;
    const std::uint64_t first = hosts(needs_[0], 0);
    const std::uint64_t second = hosts(needs_[0], 1);
    if (needs_.size() == 1) {
      found.fit[word] = first | second;
    } else if (needs_[1] == needs_[0]) {
      found.fit[word] = first & second;
    } else {
      found.fit[word] = (first & hosts(needs_[1], 1)) | (second & hosts(needs_[1], 0));
    }
  }
  return found;
}

}  // namespace filter_driver
