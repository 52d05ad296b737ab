// SPDX-License-Identifier: Apache-2.0
//
// One NUMA cell of an instance on one NUMA cell of a host: page size, CPUs, memory, and the threads to pin to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// How dedicated vCPUs are packed onto a cell's cores.
struct packing {
  std::size_t threads = 0;   // so many threads of each core that has as many free; 0: one free thread after another
  bool whole_cores = false;  // one thread of each core that is free altogether (isolate)
};

struct cell_fit {
  enum class kind : std::uint8_t {
    fits,
    does_not_fit,
    raises  // the host has no cores (sibling sets) to pin to; Ocata: none of them has a free thread
  };
  kind result = kind::does_not_fit;
  std::optional<std::int64_t> pagesize;  // the size chosen, where one was asked for; set even if the cell does not fit
  std::optional<packing> packed;         // set as soon as the cell is packed, even if it does not fit after all
};

// pagesize: what the instance's cell asks for by now (the fit replaces -1 to -3 by what it chose). reserved: CPUs to
// keep for emulator threads besides the pinned ones. limits: none, no overcommit limits.
cell_fit fit_cell(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                  std::size_t reserved, const numa_limits* limits);

// The same as Ocata has it: CPUs of a host without sibling sets are pinned one by one, no CPU is kept for emulator threads,
// a cell is as large as all its memory whatever the pages, and no limit holds for dedicated CPUs.
cell_fit fit_cell_of_ocata(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                           const numa_limits* limits);

// The size of the host's pages that have room for what was asked (-1: small, -2: large, -3: any); none: no such pages have.
std::optional<std::int64_t> choose_pages(const host_cell& host, std::int64_t wanted, std::int64_t memory_mb);

// Writes the pinning that a packing means into the instance's cell, and the reserved CPUs.
void pin(const host_cell& host, const packing& how, std::size_t reserved, instance_cell& instance);

}  // namespace filter_driver
