// SPDX-License-Identifier: Apache-2.0
//
// The verdict of each filter on each host, for explanations of why a host was left out. The filters run once more for
// the explanation, since a decision only counts the hosts that each filter rejects.
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
  using rows = std::vector<std::uint64_t>;  // a bitmap of hosts

  // `asked` must outlive this object. `first` is true for the first instance of the request. The filters that run once
  // per request give verdicts only then. Call ask_in_turn() or ask_each() before of().
  host_verdicts(const std::vector<enabled_filter>& enabled, const question& asked, bool first);

  // Runs the filters as a decision does: each filter judges only the hosts that the filters before it passed.
  void ask_in_turn(const rows& candidates);
  // Runs each filter for every candidate. A filter that throws for a candidate rejects it, and the error is the reason.
  void ask_each(const rows& candidates);

  // Appends the verdicts on a candidate, in the order of the filters. After ask_in_turn(), the first rejection is the
  // last verdict. The texts are valid until the next call of of().
  void of(std::uint32_t row, std::vector<gantry::verdict>& into);

 private:
  // A `step` is an index into filters_.steps(). Clears the rows that the filter of the step rejects.
  void keep(std::size_t step, rows& candidates);
  // Like keep(), but asks for one host at a time. Also clears the rows for which the filter throws.
  void keep_one_by_one(std::size_t step, rows& candidates);
  bool passes(std::size_t step, std::uint32_t row);
  std::string_view reason(std::size_t step, std::uint32_t row);

  const question& asked_;
  filtering filters_;
  std::vector<double> rooms_;
  rows one_;                       // scratch memory: a bitmap of one host
  std::vector<rows> against_;      // by step: rows that the filter rejects, or throws for
  std::vector<rows> failed_;       // by step: rows that the filter throws for. A bitmap without words if there are none
  std::deque<std::string> texts_;  // reasons that the last of() refers to
  bool in_turn_ = true;            // false after ask_each()
};

}  // namespace filter_driver
