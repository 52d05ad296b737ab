// SPDX-License-Identifier: Apache-2.0
//
// The term that each weigher adds to a host's weight, for explanations of the order of hosts. The hosts are weighed
// once more in the same way as in the decision.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <unordered_map>
#include <vector>

#include "rules/weighing.hpp"

namespace filter_driver {

class host_terms {
 public:
  // `left` is a bitmap of the hosts that passed the filters. `wanted` lists the rows of `left` that of() may be called
  // for. `asked` must outlive this object.
  host_terms(const std::vector<weighing::entry>& enabled, const question& asked, std::vector<std::uint64_t> left,
             const std::vector<std::uint32_t>& wanted);

  // Appends one term for each weigher of a wanted row. Appends nothing if the hosts are not weighed.
  void of(std::uint32_t row, std::vector<gantry::term>& into);

 private:
  void read(std::vector<std::uint32_t> wanted, std::uint32_t total);

  weighing weights_;
  std::unordered_map<std::uint32_t, std::size_t> place_;  // row -> index in raws_ of the row's first number
  std::vector<double> raws_;                              // raw numbers: one for each weigher, row after row
};

}  // namespace filter_driver
