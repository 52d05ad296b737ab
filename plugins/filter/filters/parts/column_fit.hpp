// SPDX-License-Identifier: Apache-2.0
//
// The NUMATopologyFilter's verdict (Zed) for a block of hosts at once. This works for instances and hosts whose fit
// needs only comparisons. Instances: each cell requests no page size, one size, or large pages. They request no devices
// or networks, and no thread policy but prefer. Hosts: one or two NUMA cells. The verdict is the same as that of
// numa/fit.hpp, which checks the hosts that get no verdict here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "filters/parts/cell_columns.hpp"
#include "numa/topology_filter.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

class column_fit {
 public:
  // Returns empty if the instance's fit needs more than comparisons.
  static std::optional<column_fit> of(const numa_wishes& wishes);

  // Bitmaps of the block's rows. The bits of rows that are not candidates have no meaning.
  struct verdicts {
    std::array<std::uint64_t, block_rows / 64> fit{};
    std::array<std::uint64_t, block_rows / 64> unsure{};  // hosts without a verdict
  };
  // `columns` describes the block_rows rows that contain the candidates. Index i of the ratios is row
  // candidates.first + i. NaN: the host has no ratio, and gets no verdict.
  verdicts judge(const cell_columns& columns, const block& candidates, const double* cpu_ratios,
                 const double* ram_ratios) const;

 private:
  // The requirements of an instance's cell on a host's cell.
  struct cell_need {
    cell_need(const instance_cell& cell, std::size_t reserved, release rules);
    bool operator==(const cell_need&) const = default;

    std::int64_t memory_kb;
    std::int64_t pagesize;  // KiB; 0: no size is requested; or pagesize_large
    double memory;
    double dedicated;
    double shared;
    bool wants_dedicated;
    bool wants_shared;
    bool pins_in_free;  // the release's pinned_memory_by_free_pages, if CPUs are to be dedicated
  };

  static std::uint64_t hosts_for(const cell_need& need, const cell_columns& columns, std::size_t which,
                                 std::size_t begin, std::size_t count, const double* cpu_ratios,
                                 const double* ram_ratios);

  std::vector<cell_need> needs_;
};

}  // namespace filter_driver
