// SPDX-License-Identifier: Apache-2.0
//
// The NUMATopologyFilter's verdict (Zed) on a block of hosts at once, for the instances and hosts whose fit comes down to
// comparisons: pages of no size asked for, of one, or large ones; no devices, no networks, no policy for threads; hosts of
// one NUMA cell or two. The fit by itself (fit.hpp) says the same of each host, and is asked about the others.
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
  // none: the instance is not one of those.
  static std::optional<column_fit> of(const numa_wishes& wishes);

  // Bitmaps of the block's rows. Of hosts that are not candidates they say nothing.
  struct verdicts {
    std::array<std::uint64_t, block_rows / 64> fit{};
    std::array<std::uint64_t, block_rows / 64> unsure{};  // of which there is no verdict
  };
  // The columns are those of the block_rows rows that the candidates are of; the ratios are the candidates'.
  verdicts judge(const cell_columns& columns, const block& candidates, const double* cpu_ratios,
                 const double* ram_ratios) const;

 private:
  // What a cell of the instance asks of a host's cell.
  struct cell_need {
    explicit cell_need(const instance_cell& cell, std::size_t reserved);
    bool operator==(const cell_need&) const = default;

    std::int64_t memory_kb;
    std::int64_t pagesize;  // KiB; 0: none is asked for; or the large ones
    double memory;
    double dedicated;
    double shared;
    bool wants_dedicated;
    bool wants_shared;
  };

  static std::uint64_t hosts_for(const cell_need& need, const cell_columns& columns, std::size_t which,
                                 std::size_t begin, std::size_t count, const double* cpu_ratios,
                                 const double* ram_ratios);

  std::vector<cell_need> needs_;
};

}  // namespace filter_driver
