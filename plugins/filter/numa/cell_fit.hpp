// SPDX-License-Identifier: Apache-2.0
//
// Checks whether one NUMA cell of an instance fits one NUMA cell of a host: page size, CPUs, memory, and the threads
// to pin the dedicated vCPUs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// The packing of dedicated vCPUs onto a cell's cores.
struct packing {
  // Threads to use of each core that has this many free. 0: take free threads one after another.
  std::size_t threads = 0;
  bool whole_cores = false;  // use one thread of each core whose threads are all free (policy isolate)
};

struct cell_fit {
  enum class kind : std::uint8_t {
    fits,
    does_not_fit,
    raises  // the host has no cores (sibling sets) to pin to; Ocata: no core has a free thread
  };
  kind result = kind::does_not_fit;
  // The chosen size in KiB if a page size was requested. May be set even if the cell does not fit.
  std::optional<std::int64_t> pagesize;
  std::optional<packing> packed;  // set once the cell is packed, even if a later check fails
};

// Checks one cell by Zed's rules. `pagesize`: the cell's current page size. A fit replaces -1 to -3 by the size that
// it chose. `reserved`: CPUs to keep free for emulator threads, besides the pinned CPUs. `limits`: null means no
// overcommit limits.
cell_fit fit_cell(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                  std::size_t reserved, const numa_limits* limits);

// Checks one cell by Ocata's rules. On a host without sibling sets, CPUs are pinned one by one. Ocata reserves no CPU
// for emulator threads. It compares the requested memory with all memory of the cell and ignores the page size there.
// Overcommit limits do not apply to dedicated CPUs.
cell_fit fit_cell_of_ocata(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                           const numa_limits* limits);

// Returns the size in KiB of the host's pages that have room for the memory. `wanted`: a size in KiB, or -1 (small),
// -2 (large), -3 (any). Empty if no matching pages have room.
std::optional<std::int64_t> choose_pages(const host_cell& host, std::int64_t wanted, std::int64_t memory_mb);

// Writes the pinning for the packing, and the reserved CPUs, into the instance's cell.
void pin(const host_cell& host, const packing& how, std::size_t reserved, instance_cell& instance);

}  // namespace filter_driver
