// SPDX-License-Identifier: Apache-2.0
//
// CPU masks of extra specs and image properties, such as "0-3,^2".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::nova {

// A set of CPU numbers, kept as ranges: a mask may name any number of CPUs.
class CpuSet {
 public:
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };

  // Returns the CPUs 0 to count - 1.
  static CpuSet up_to(std::int64_t count);
  // The CPUs in `included` without the CPUs in `excluded`. Ranges may overlap.
  CpuSet(std::vector<Range> included, std::vector<Range> excluded);

  bool is_empty() const { return ranges_.empty(); }
  // True if each CPU of this set is below `count`.
  bool is_below(std::int64_t count) const;
  // True if all the CPUs 0 to count - 1 are in this set.
  bool has_all_below(std::int64_t count) const;
  // Requires is_below() of some count.
  std::int64_t size() const;

 private:
  std::vector<Range> ranges_;  // in order, apart from each other
};

// Reads a mask as Nova's parse_cpu_spec does. Numbers above 2^62 count as 2^62. Fails with Nova's Invalid.
Result<CpuSet> read_cpu_mask(std::string_view mask);

// Reads a mask for a guest of `cpus` CPUs. A mask that begins with ^ excludes CPUs from all of them.
Result<CpuSet> read_guest_cpu_mask(std::string_view mask, std::int64_t cpus);

}  // namespace gantry::nova
