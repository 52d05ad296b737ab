// SPDX-License-Identifier: Apache-2.0
//
// What each filter says of each host, for whoever asks why one was left out. The filters are asked anew: a decision that
// nobody asks about keeps counts alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <gantry/driver.hpp>
#include <string>
#include <vector>

#include "rules/filtering.hpp"

namespace filter_driver {

class host_verdicts {
 public:
  using rows = std::vector<std::uint64_t>;  // a bitmap

  // `asked` outlives this.
  host_verdicts(const std::vector<enabled_filter>& enabled, const question& asked, bool first);

  // As in a decision: each filter for what the ones before it left of the candidates.
  void ask_in_turn(const rows& candidates);
  // Each filter for every candidate; where it fails for one, that is its verdict on it.
  void ask_each(const rows& candidates);

  // Of a candidate, put behind what is there. The texts hold until the next call.
  void of(std::uint32_t row, std::vector<gantry::verdict>& into);

 private:
  // Clears the rows that do not pass.
  void keep(std::size_t step, rows& candidates);
  void keep_one_by_one(std::size_t step, rows& candidates);
  bool passes(std::size_t step, std::uint32_t row);
  std::string_view reason(std::size_t step, std::uint32_t row);

  const question& asked_;
  filtering filters_;
  std::vector<double> rooms_;
  rows one_;                   // room for a bitmap of one host
  std::vector<rows> against_;  // by step: those that it is against
  std::vector<rows> failed_;   // by step: those of them for which it fails; empty: none
  std::deque<std::string> texts_;
  bool in_turn_ = true;
};

}  // namespace filter_driver
