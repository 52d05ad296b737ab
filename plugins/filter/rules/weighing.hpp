// SPDX-License-Identifier: Apache-2.0
//
// Computes the weights of hosts from the raw numbers of the weighers, with the same floating-point operations in the
// same order as Nova. There are two passes over the candidates. observe() finds the extremes of each weigher. score()
// adds multiplier * normalised number to each host's total.
//
// Zed clamps raw numbers to the minval and maxval that the weigher declares, and uses these two as the extremes. If one
// is not declared, the least or the greatest number of the candidates takes its place. Icehouse and Ocata do not clamp:
// they widen the declared extremes to include the candidates' numbers. (Ocata's weighers also keep the widened extremes
// from request to request. This is a bug of that release, LP 1870096, which is not repeated here.) From Ocata on, a
// single candidate is not weighed.
#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "rules/extremes.hpp"
#include "rules/multiplier.hpp"
#include "rules/weigher.hpp"

namespace filter_driver {

// One weigher during the decision for one instance.
class weighing_step {
 public:
  // `asked` must outlive this object.
  weighing_step(const weigher_rule& rule, const weigher& made, const question& asked);
  weighing_step(const weigher_rule& rule, const weigher& made, const question&& asked) = delete;

  const weigher_rule& rule() const { return rule_; }
  // If weighs_all_at_once(), call weigh_all() before the first observe(). `rows` is a bitmap of all hosts that passed.
  bool weighs_all_at_once() const { return run_ != nullptr && run_->weighs_all_at_once(); }
  void weigh_all(const std::vector<std::uint64_t>& rows);
  // Adds the candidates to the observed extremes. Throws gantry::failure if the number of a candidate is NaN.
  void observe(const block& candidates);
  // Returns the extremes to normalise by. Call it after the last observe().
  extremes range() const;
  // Returns the extremes to normalise by if `seen` has the least and the greatest number of the candidates. Ignores
  // what observe() has seen.
  extremes range(const extremes& seen) const;
  // Adds this weigher's share to total[i] for each candidate first + i. total[i] of other rows is undefined afterwards.
  void score(const block& candidates, double* total);
  // Returns false if the raw number of every host is 0.
  bool reads_hosts() const { return run_ != nullptr; }
  // Writes the raw number of each candidate first + i to into[i], clamped in Zed. into[i] of other rows is undefined.
  void raw(const block& candidates, double* into);
  // Like score(), but takes the raw numbers and the extremes as arguments: `numbers` from raw(), or nullptr if all are
  // 0, and `limits`. The block may begin at any row.
  void add(const block& candidates, const double* numbers, const extremes& limits, double* total);
  host_multiplier& multiplier() { return multiplier_; }

 private:
  // Sets cut_ from minval_ and maxval_.
  void cut_to_bounds();
  // Returns true if this weigher adds 0 to every host's total, for any raw numbers.
  bool adds_nothing(const extremes& limits);

  const weigher_rule& rule_;
  const question& asked_;
  std::unique_ptr<weigher_run> run_;  // nullptr if the raw number of every host is 0
  host_multiplier multiplier_;
  std::optional<double> minval_;  // the rule's, or as weigh_all() of the run has set it
  std::optional<double> maxval_;  // likewise
  std::optional<bounds> cut_;     // the bounds that Zed clamps to. nullopt if numbers are not clamped
  observed_extremes observed_;
};

// All enabled weighers during the decision for one instance.
class weighing {
 public:
  // A weigher that the configuration enables.
  struct entry {
    const weigher_rule* rule;
    const weigher* made;  // the weigher of this rule
  };

  // `asked` must outlive this object.
  weighing(const std::vector<entry>& enabled, const question& asked);
  weighing(const std::vector<entry>& enabled, const question&& asked) = delete;

  // Observes the block for each weigher. Leaves out the weighers that score all hosts in one call, for which
  // observe_whole() is there.
  void observe(const block& candidates);
  // Observes all hosts for the weighers that score all hosts in one call (weigher_run::weighs_all_at_once). `rows` is a
  // bitmap of the hosts that passed, among `total` hosts. `rooms` is scratch memory, as block::rooms.
  void observe_whole(const std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms);
  // Writes the weight of each candidate first + i to total[i]. total[i] of other rows may be overwritten.
  void score(const block& candidates, double* total);
  // Returns true if that many candidates are weighed. If false, the weight of each candidate is 0.
  bool weighs(std::uint64_t candidates) const;

  using step_list = boost::container::small_vector<weighing_step, 16>;
  step_list& steps() { return steps_; }

 private:
  const question& asked_;
  step_list steps_;
};

}  // namespace filter_driver
