// SPDX-License-Identifier: Apache-2.0
#include "nova/option_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace filter_driver {
namespace {

constexpr std::size_t longest_compared = 256;

char lower_letter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Returns the edit distance: letters to insert, remove or replace, ignoring case.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (lower_letter(left[i - 1]) == lower_letter(right[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[right.size()];
}

}  // namespace

std::string_view last_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

std::string advice_for(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view word = last_part(name);
  std::string_view best;
  // At most a third of the letters may differ. Beyond that a guess misleads.
  std::size_t best_distance = word.size() > longest_compared ? 0 : word.size() / 3 + 1;
  for (const std::string_view one : known) {
    if (best_distance == 0) break;
    const std::size_t letters = distance(word, one);
    if (letters < best_distance) {
      best = one;
      best_distance = letters;
    }
    if (letters == 0) break;
  }
  if (!best.empty()) return "did you mean '" + std::string(best) + "'?";
  std::string all = "there are";
  for (const std::string_view one : known) all.append(one == known.front() ? " " : ", ").append(one);
  return all;
}

}  // namespace filter_driver
