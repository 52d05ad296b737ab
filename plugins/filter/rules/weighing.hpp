// SPDX-License-Identifier: Apache-2.0
//
// From raw numbers to a host's weight, in the order of operations of Nova's doubles. Two passes over the candidates:
// observe() finds each weigher's extremes, score() adds multiplier times normalised number to each host's total.
//
// Zed clamps raw numbers to the weigher's declared minval and maxval, which are then the extremes; where one is not
// declared the candidates' own least or greatest is. Icehouse and Ocata widen the declared ones by what is there
// (Ocata's weighers also remember them from request to request, a fault of that release which is not repeated here:
// LP 1870096). From Ocata on a single candidate is not weighed.
#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "rules/extremes.hpp"
#include "rules/multiplier.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

// One weigher during one request.
class weighing_step {
 public:
  // `asked` outlives this.
  weighing_step(const weigher_rule& rule, const weigher& made, const question& asked);
  weighing_step(const weigher_rule& rule, const weigher& made, const question&& asked) = delete;

  const weigher_rule& rule() const { return rule_; }
  // Before the first observe(): a weigher that sees whole columns weighs `rows`, a bitmap of all that passed.
  bool weighs_all_at_once() const { return run_ != nullptr && run_->weighs_all_at_once(); }
  void weigh_all(const std::vector<std::uint64_t>& rows);
  // Throws where a candidate has no number.
  void observe(const block& candidates);
  // After the last observe().
  extremes range() const;
  // The same where these are the candidates' own.
  extremes range(const extremes& seen) const;
  // Adds to total[i], of row first + i, for all of the block; what it adds to rows that are no candidates means nothing.
  void score(const block& candidates, double* total);
  // False: the raw number of each host is 0.
  bool reads_hosts() const { return run_ != nullptr; }
  // Raw numbers of the block as they count: clamped in Zed.
  void raw(const block& candidates, double* into);
  // As score(), where raw() gave `numbers` (nullptr: zeros) and the range is this one. `first` may be any row.
  void add(const block& candidates, const double* numbers, const extremes& limits, double* total);
  host_multiplier& multiplier() { return multiplier_; }

 private:
  void cut_to_bounds();
  // Whatever the numbers are.
  bool adds_nothing(const extremes& limits);

  const weigher_rule& rule_;
  const question& asked_;
  std::unique_ptr<weigher_run> run_;  // nullptr: all weigh 0
  host_multiplier multiplier_;
  std::optional<double> minval_;
  std::optional<double> maxval_;
  std::optional<bounds> cut_;  // Zed's
  observed_extremes observed_;
};

class weighing {
 public:
  struct entry {
    const weigher_rule* rule;
    const weigher* made;
  };

  // `asked` outlives this.
  weighing(const std::vector<entry>& enabled, const question& asked);
  weighing(const std::vector<entry>& enabled, const question&& asked) = delete;

  // What sees whole columns is left out here: observe_whole() is for that.
  void observe(const block& candidates);
  // `rows`: a bitmap of all hosts that passed, of `total` hosts; `rooms` as in block.
  void observe_whole(const std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms);
  // Sets total[i], of row first + i of the block, for each candidate; the rest may be written to as well.
  void score(const block& candidates, double* total);
  // So many candidates are there. False: their weights stay 0.
  bool weighs(std::uint64_t candidates) const;

  using step_list = boost::container::small_vector<weighing_step, 16>;
  step_list& steps() { return steps_; }

 private:
  const question& asked_;
  step_list steps_;
};

}  // namespace filter_driver
