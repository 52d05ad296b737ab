// SPDX-License-Identifier: Apache-2.0
//
// The inputs of Nova's NUMA fit: the NUMA cells of a host, the cells that an instance requests, and the limits.
// Memory is in MiB, page sizes are in KiB.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numa/cpu_set.hpp"
#include "pci/socket.hpp"

namespace filter_driver {

inline constexpr std::int64_t kib_per_mib = 1024;

// Values of instance_cell::pagesize for a kind of page instead of a size in KiB.
inline constexpr std::int64_t pagesize_small = -1;
inline constexpr std::int64_t pagesize_large = -2;
inline constexpr std::int64_t pagesize_any = -3;

// The host's pages of one size.
struct page_pool {
  std::int64_t size_kb = 0;
  std::int64_t total = 0;
  std::int64_t used = 0;
  std::optional<std::int64_t> reserved;  // unset counts as 0

  bool operator==(const page_pool&) const = default;
};

// The networks that a host's cell is near, or that an instance requests: physical networks by name, and the tunnelled
// networks as a whole.
struct network_metadata {
  std::vector<std::string> physnets;
  bool tunneled = false;
};

// The threads of each core, as CPU numbers in ascending order. A sibling set is the threads of one core. One array
// holds the threads of all cores.
class sibling_sets {
 public:
  std::size_t size() const { return ends_.size(); }
  std::span<const cpu_number> operator[](std::size_t core) const {
    const std::size_t begin = core == 0 ? 0 : ends_[core - 1];
    return std::span(cpus_).subspan(begin, ends_[core] - begin);
  }
  void add(std::span<const cpu_number> threads) {
    const std::vector<cpu_number> order = ascending_cpus(threads);
    cpus_.insert(cpus_.end(), order.begin(), order.end());
    ends_.push_back(static_cast<std::uint32_t>(cpus_.size()));
  }

 private:
  std::vector<cpu_number> cpus_;
  std::vector<std::uint32_t> ends_;
};

// One NUMA cell of a host. The members that most fits read come first and fill the first three cache lines.
struct alignas(64) host_cell {
  // A vector that keeps up to Count values inside the cell.
  template <class Value, std::size_t Count>
  using few = boost::container::small_vector<Value, Count>;

  std::int64_t id = 0;
  std::int64_t memory = 0;
  std::int64_t cpu_usage = 0;
  std::int64_t memory_usage = 0;
  // Counts that count_free() computes from the sets below. Call count_free() after each change of the sets or of
  // mempages.
  std::uint32_t cpus = 0;              // size of cpuset
  std::uint32_t pcpus = 0;             // size of pcpuset
  std::uint32_t free_pcpus = 0;        // pcpuset without pinned_cpus
  std::uint32_t cores = 0;             // number of sibling sets
  std::uint32_t threads_per_core = 0;  // threads of the largest core
  std::uint32_t free_threads = 0;      // over all cores
  few<std::uint16_t, 4> cores_with;    // cores_with[n]: the number of cores with at least n free threads
  few<page_pool, 2> mempages;
  few<std::uint32_t, 4> large_first;  // indices into mempages, the largest size first; count_free() computes them
  cpu_set cpuset;                     // for shared CPUs
  cpu_set pcpuset;                    // for dedicated CPUs
  sibling_sets siblings;
  std::optional<filter_driver::network_metadata> network_metadata;
  cpu_set pinned_cpus;
  std::optional<std::int64_t> socket;

  std::int64_t free_memory() const { return memory - memory_usage; }
  void count_free();
  static constexpr std::size_t front = 192;  // bytes in the first three cache lines
};

struct host_topology {
  std::vector<host_cell> cells;
  std::vector<cell_socket> sockets;  // one for each cell, in the order of the cells
};

enum class cpu_policy : std::uint8_t { unset, shared, dedicated, mixed };
enum class cpu_thread_policy : std::uint8_t { unset, prefer, isolate, require };

// One NUMA cell that an instance requests.
struct instance_cell {
  std::int64_t id = 0;
  cpu_set cpuset;   // its shared vCPUs
  cpu_set pcpuset;  // its dedicated vCPUs
  std::int64_t memory = 0;
  // A size in KiB, or one of the pagesize constants. Unset or 0: the instance requests no page size.
  std::optional<std::int64_t> pagesize;
  filter_driver::cpu_policy cpu_policy = filter_driver::cpu_policy::unset;
  filter_driver::cpu_thread_policy cpu_thread_policy = filter_driver::cpu_thread_policy::unset;
  std::optional<std::vector<std::pair<cpu_number, cpu_number>>> cpu_pinning;  // vCPU -> host CPU
  std::optional<cpu_set> cpuset_reserved;                                     // host CPUs for emulator threads

  bool wants_dedicated() const {
    return cpu_policy == filter_driver::cpu_policy::dedicated || cpu_policy == filter_driver::cpu_policy::mixed;
  }
  bool wants_shared() const { return cpu_policy != filter_driver::cpu_policy::dedicated; }
};

struct instance_topology {
  std::vector<instance_cell> cells;
  std::optional<std::string> emulator_threads_policy;  // "isolate": the first cell reserves a CPU for emulator threads
};

// Nova's NUMATopologyLimits, which the NUMATopologyFilter leaves on a host.
struct numa_limits {
  double cpu_allocation_ratio = 1;
  double ram_allocation_ratio = 1;
  std::optional<filter_driver::network_metadata> network_metadata;
};

}  // namespace filter_driver
