// SPDX-License-Identifier: Apache-2.0
//
// Candidates by weight, the best first. Among equals the order of the round before counts, in which its chosen host
// stands first (whether or not its claim held); in the first round the order of the rows. So it is in Nova, which sorts the sorted list again for each
// instance of a request.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filter_driver {

// The weights of the rounds of one request, and whom each chose.
class rounds {
 public:
  // A new round, with a weight for each row; `weights` outlive this. `greatest`: of each block_rows rows a weight that no
  // candidate's is above, which outlives this too; empty: not known.
  void begin(std::span<const double> weights, std::span<const double> greatest = {});
  void choose(std::uint32_t row) { latest().chosen = row; }
  double weight(std::uint32_t row) const { return weights()[row]; }
  // Of the latest round.
  std::span<const double> weights() const { return rounds_.back().weights; }
  std::span<const double> greatest_weights() const { return rounds_.back().greatest; }
  // Equals stand in the order of the rows.
  bool is_first() const { return rounds_.size() == 1; }
  // Whether `a` stands before `b` in the latest round.
  bool before(std::uint32_t a, std::uint32_t b) const;

 private:
  static constexpr std::uint32_t nobody = UINT32_MAX;
  struct round {
    std::span<const double> weights;
    std::span<const double> greatest;
    std::uint32_t chosen;
  };

  round& latest() { return rounds_.back(); }

  std::vector<round> rounds_;
};

// Goes through the candidates of the latest round in order.
class ranking {
 public:
  // `candidates`: a bitmap of rows. Both outlive this.
  ranking(const rounds& order, const std::vector<std::uint64_t>& candidates);

  // The next in order; none: there is no further.
  std::optional<std::uint32_t> next();
  // The first `count` (or all), in order, which next() will not give again.
  std::vector<std::uint32_t> take(std::size_t count);
  // Those of them that weigh as much as the best; next() will not give them again.
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
  std::vector<std::uint32_t> taken_;   // before they were sorted: few
  std::optional<double> level_;        // the weight of the last of them, while all weights are numbers
  std::vector<std::uint32_t> sorted_;  // of those left, from the worst; empty before many have been asked for
  bool is_sorted_ = false;
};

}  // namespace filter_driver
