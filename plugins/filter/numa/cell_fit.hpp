// SPDX-License-Identifier: Apache-2.0
//
// Checks whether one NUMA cell of an instance fits one NUMA cell of a host: page size, CPUs, memory, and the threads
// to pin the dedicated vCPUs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// How dedicated vCPUs are packed onto a cell's cores.
struct packing {
  // The number of threads to use of each core. Cores with fewer free threads are passed over. 0: use all free threads
  // of one core after another.
  std::size_t threads = 0;
  bool whole_cores = false;  // use one thread of each core whose threads are all free (policy isolate)
};

// The result of a check.
struct cell_fit {
  enum class kind : std::uint8_t {
    fits,
    does_not_fit,
    raises  // the host has no cores (sibling sets) to pin to; Ocata: no core has a free thread
  };
  kind result = kind::does_not_fit;
  // The chosen page size in KiB. Empty if no page size was requested or no pages have room. May be set even if the cell
  // does not fit.
  std::optional<std::int64_t> pagesize;
  std::optional<packing> packed;  // set if the dedicated vCPUs can be packed, even if a later check fails
};

// Checks by the rules of Zed or a later release whether the instance's cell fits the host's cell. `pagesize` takes the
// place of instance.pagesize: the caller passes the size that an earlier check of this cell chose for -1, -2 or -3.
// `reserved`: the number of CPUs to keep free for emulator threads, besides the pinned CPUs. `limits`: nullptr means no
// overcommit limits.
cell_fit fit_cell(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                  std::size_t reserved, const numa_limits* limits, release rules);

// Checks one cell by Ocata's rules. On a host without sibling sets, each CPU counts as a core. Ocata reserves no CPU
// for emulator threads. It compares the requested memory with all memory of the host's cell, in pages of any size.
// Overcommit limits do not apply to a cell with dedicated CPUs.
cell_fit fit_cell_of_ocata(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                           const numa_limits* limits);

// Returns the size in KiB of pages of the host that have room for the memory. `wanted`: a size in KiB, or -1 (small:
// the host's smallest size), -2 (large: all sizes but the smallest), -3 (any size). Larger sizes are tried first. Empty
// if no pages of a wanted size have room.
std::optional<std::int64_t> choose_pages(const host_cell& host, std::int64_t wanted, std::int64_t memory_mb);

// Chooses the host CPUs for a packing that fit_cell() returned. Writes them into cpu_pinning and cpuset_reserved of the
// instance's cell.
void pin(const host_cell& host, const packing& how, std::size_t reserved, instance_cell& instance);

}  // namespace filter_driver
