// SPDX-License-Identifier: Apache-2.0
//
// Orders the candidates of a decision by descending weight. Each instance of a request has its own round of weights. In
// the first round, hosts of equal weight are in row order. In a later round, hosts of equal weight keep their order in
// the previous round, except that the host which the previous round chose comes first, even if its claim failed. Nova
// behaves the same, since it sorts the sorted list again for each instance of a request.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filter_driver {

// The weights of the latest round of one request, and the order that the rounds before have left. Memory and time of a
// round do not depend on how many rounds there were.
class rounds {
 public:
  // Starts a round. `weights` has one weight for each row. `greatest` has an upper bound of the candidates' weights for
  // each block of block_rows rows, or is empty if the bounds are unknown. Both must live until the next begin() has
  // returned. `candidates` is a bitmap of rows; a candidate was one in each round before.
  void begin(std::span<const double> weights, std::span<const double> greatest,
             const std::vector<std::uint64_t>& candidates);
  // Records that the latest round chose the row.
  void choose(std::uint32_t row) { chosen_ = row; }
  double weight(std::uint32_t row) const { return weights_[row]; }
  // Return `weights` and `greatest` of the latest round, as begin() got them.
  std::span<const double> weights() const { return weights_; }
  std::span<const double> greatest_weights() const { return greatest_; }
  // The number of rounds so far.
  std::size_t count() const { return count_; }
  // Returns true in the first round, in which equal weights are in row order.
  bool is_first() const { return count_ == 1; }
  // Returns true if `a` comes before `b` in the latest round.
  bool before(std::uint32_t a, std::uint32_t b) const;

 private:
  static constexpr std::uint32_t nobody = UINT32_MAX;  // value of chosen_ before choose()

  void settle(const std::vector<std::uint64_t>& candidates);

  std::size_t count_ = 0;
  std::span<const double> weights_;
  std::span<const double> greatest_;
  std::uint32_t chosen_ = nobody;
  std::vector<std::uint32_t> order_;  // from the second round on: candidates as the round before left them
  std::vector<std::uint32_t> place_;  // by row: its position in order_
};

// Goes through the candidates of the latest round in order.
class ranking {
 public:
  // `candidates` is a bitmap of rows. Both arguments must outlive this object.
  ranking(const rounds& order, const std::vector<std::uint64_t>& candidates);

  // Returns the next candidate. nullopt if no candidate remains.
  std::optional<std::uint32_t> next();
  // Returns the next `count` candidates in order, or all if there are fewer. Like next(), never returns a row twice.
  std::vector<std::uint32_t> take(std::size_t count);
  // Returns the best remaining candidate and all candidates of the same weight. next() does not return them again.
  std::vector<std::uint32_t> take_equals_of_best();

 private:
  std::optional<std::uint32_t> best();
  std::optional<std::uint32_t> first_of_weight(double weight, std::uint32_t from) const;
  std::optional<std::uint32_t> best_of_weight(double weight) const;
  std::optional<double> greatest() const;
  bool add_greatest_of(std::size_t block, double& greatest) const;
  std::uint64_t left(std::size_t word) const;
  template <class Visit>
  void for_each_left(Visit&& visit) const;
  void sort_rest();

  const rounds& order_;
  const std::vector<std::uint64_t>& candidates_;
  std::vector<std::uint32_t> taken_;   // rows returned before sorted_ was filled: a few at most
  std::optional<double> level_;        // weight of the last row in taken_. nullopt if none, or if a weight is NaN
  std::vector<std::uint32_t> sorted_;  // remaining rows, the worst first. Filled when more than a few rows are wanted
  bool is_sorted_ = false;
};

}  // namespace filter_driver
