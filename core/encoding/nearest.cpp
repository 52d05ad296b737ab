// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/nearest.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t longest_compared = 256;

// Insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> two_above(width);
  std::vector<std::size_t> above(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replaced = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    std::swap(two_above, above);
    std::swap(above, row);
  }
  return above[right.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > longest_compared) return {};
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const auto& candidate : known) {
    if (candidate.size() > longest_compared) continue;
    // A third of the letters may be wrong. A guess beyond that misleads.
    const std::size_t near_enough = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    // The distance is at least the difference of the lengths.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) > near_enough) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance <= near_enough && distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace gantry
