// SPDX-License-Identifier: Apache-2.0
//
// The terms of a host's weight, for explanations of the order of hosts. A term is the number that one weigher adds. For
// the terms, the hosts are weighed once more in the same way as in the decision.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <unordered_map>
#include <vector>

#include "rules/weighing.hpp"

namespace filter_driver {

class host_terms {
 public:
  // `left` is a bitmap of the hosts that passed the filters. `wanted` lists the rows of `left` whose terms of() can
  // give. `asked` must outlive this object.
  host_terms(const std::vector<weighing::entry>& enabled, const question& asked, std::vector<std::uint64_t> left,
             const std::vector<std::uint32_t>& wanted);

  // Appends the terms of the row to `into`, one for each weigher. Appends nothing if the row is not in `wanted`, or if
  // the decision does not weigh its hosts (weighing::weighs).
  void of(std::uint32_t row, std::vector<gantry::term>& into);

 private:
  void read(std::vector<std::uint32_t> wanted, std::uint32_t total);

  weighing weights_;
  std::unordered_map<std::uint32_t, std::size_t> place_;  // row -> index in raws_ of the number of the first weigher
  std::vector<double> raws_;                              // raw numbers of the wanted rows, one for each weigher
};

}  // namespace filter_driver
