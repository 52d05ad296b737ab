// SPDX-License-Identifier: Apache-2.0
//
// What each weigher adds to a host's weight, for whoever asks why one comes before another. Weighed anew, as the
// decision does.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <unordered_map>
#include <vector>

#include "rules/weighing.hpp"

namespace filter_driver {

class host_terms {
 public:
  // `left`: a bitmap of the hosts that passed the filters; `wanted`: those of them whose terms will be asked for.
  // `asked` outlives this.
  host_terms(const std::vector<weighing::entry>& enabled, const question& asked, std::vector<std::uint64_t> left,
             const std::vector<std::uint32_t>& wanted);

  // Of a wanted row, put behind what is there: a term a weigher; none where hosts are not weighed.
  void of(std::uint32_t row, std::vector<gantry::term>& into);

 private:
  void read(std::vector<std::uint32_t> wanted, std::uint32_t total);

  weighing weights_;
  std::unordered_map<std::uint32_t, std::size_t> place_;  // of a row's numbers in raws_
  std::vector<double> raws_;                              // a row's numbers one behind the other
};

}  // namespace filter_driver
