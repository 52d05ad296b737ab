// SPDX-License-Identifier: Apache-2.0
//
// The filter driver's ranking against what Nova does: sorting all hosts anew for each instance, equals as they stood.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "plugins/filter/decision/ranking.hpp"
#include "plugins/filter/hosts/host_table.hpp"

namespace filter_driver {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Ranking : public ::testing::Test {
 protected:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  // Few different weights, so that there are many equals.
  std::vector<double> any_weights(std::size_t rows) {
    const auto different = 1 + below(below(2) == 0 ? 3 : rows);
    std::vector<double> weights(rows);
    for (auto& weight : weights) weight = static_cast<double>(below(different)) / 3.0 - 1.0;
    if (below(4) == 0) weights[below(rows)] = -infinity;
    return weights;
  }

  // Keeps about one in so many candidates, up to `fewest`.
  void narrow(std::vector<std::uint64_t>& candidates, std::size_t rows, std::uint64_t fewest) {
    const auto one_in = 1 + below(fewest);
    for (std::size_t row = 0; row < rows; ++row) {
      if (below(one_in) != 0) candidates[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    }
  }

  static bool is_among(const std::vector<std::uint64_t>& candidates, std::uint32_t row) {
    return (candidates[row / 64] >> (row % 64) & 1) != 0;
  }

  // Of each block the greatest weight of its candidates, here and there a greater one.
  std::vector<double> any_bounds(const std::vector<double>& weights, const std::vector<std::uint64_t>& candidates) {
    std::vector<double> bounds((weights.size() + block_rows - 1) / block_rows, -infinity);
    for (std::uint32_t row = 0; row < weights.size(); ++row) {
      auto& bound = bounds[row / block_rows];
      if (is_among(candidates, row)) bound = std::max(bound, weights[row]);
    }
    for (auto& bound : bounds) bound += below(3) == 0 ? 0.5 : 0.0;
    return bounds;
  }

  void decide_as_nova(unsigned seed);

  std::mt19937_64 random_;
};

void Ranking::decide_as_nova(unsigned seed) {
  random_.seed(seed);
  const std::size_t rows = 1 + below(6 * block_rows);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  const auto instances = 1 + below(6);
  std::vector<std::vector<double>> weights(instances);
  std::vector<std::vector<double>> bounds(instances);
  rounds all;
  std::vector<std::uint64_t> candidates((rows + 63) / 64);
  for (std::size_t row = 0; row < rows; ++row) candidates[row / 64] |= std::uint64_t{1} << (row % 64);
  for (std::size_t instance = 0; instance < instances; ++instance) {
    weights[instance] = any_weights(rows);
    narrow(candidates, rows, std::array{1U, 3U, 40U}[below(3)]);
    if (below(2) == 0) bounds[instance] = any_bounds(weights[instance], candidates);
    all.begin(weights[instance], bounds[instance], candidates);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return weights[instance][a] > weights[instance][b]; });
    std::vector<std::uint32_t> wanted;
    std::copy_if(order.begin(), order.end(), std::back_inserter(wanted),
                 [&](auto row) { return is_among(candidates, row); });

    ranking ranked(all, candidates);
    const auto asked = below(2) == 0 ? below(6) : rows + 1;
    ASSERT_EQ(ranked.take(asked),
              std::vector(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(std::min(asked, wanted.size()))))
        << "seed " << seed << ", instance " << instance << " of " << instances;
    if (wanted.empty()) return;
    all.choose(wanted.front());
    const auto chosen = std::find(order.begin(), order.end(), wanted.front());
    std::rotate(order.begin(), chosen, chosen + 1);
  }
}

TEST_F(Ranking, GivesTheHostsAsNovaSortsThemForEachInstance) {
  for (unsigned seed = 1; seed <= 300; ++seed) ASSERT_NO_FATAL_FAILURE(decide_as_nova(seed));
}

}  // namespace
}  // namespace filter_driver
