// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <algorithm>
#include <limits>

#include "wide.hpp"

namespace filter_driver {

namespace {

// A scan for the best is cheaper than sorting all as long as there are few.
constexpr unsigned most_scans = 4;

template <class Visit>
void for_each(const std::vector<std::uint64_t>& rows, Visit&& visit) {
  for (std::size_t word = 0; word < rows.size(); ++word) {
    for (std::uint64_t rest = rows[word]; rest != 0; rest &= rest - 1)
      visit(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
  }
}

// Of the rows; nullopt: there are none, or one of the weights is no number.
std::optional<double> greatest_weight(const std::vector<double>& weights, const std::vector<std::uint64_t>& rows) {
  double greatest = -std::numeric_limits<double>::infinity();
  std::uint64_t any = 0;
  std::uint64_t nans = 0;
  run_wide([&]() __attribute__((always_inline)) {
    for (std::size_t begin = 0; begin < weights.size(); begin += 64) {
      const auto word = rows[begin / 64];
      any |= word;
      if (word == 0) continue;
      const std::size_t count = std::min<std::size_t>(weights.size() - begin, 64);
      const double* const here = weights.data() + begin;
      nans |= word & bits_of_word(
                         count, [](auto weight) __attribute__((always_inline)) { return weight != weight; }, here);
      // Only a word that holds a greater one is looked at row by row.
      auto greater =
          word & bits_of_word(
                     count, [greatest](auto weight) __attribute__((always_inline)) { return weight > greatest; }, here);
      for (; greater != 0; greater &= greater - 1) {
        const double weight = here[__builtin_ctzll(greater)];
        greatest = weight > greatest ? weight : greatest;
      }
    }
  });
  if (any == 0 || nans != 0) return std::nullopt;
  return greatest;
}

// visit(row) for each of the rows with that weight, in order.
template <class Visit>
void for_each_of_weight(const std::vector<double>& weights, const std::vector<std::uint64_t>& rows, double wanted,
                        Visit&& visit) {
  for (std::size_t begin = 0; begin < weights.size(); begin += 64) {
    if (rows[begin / 64] == 0) continue;
    const std::size_t count = std::min<std::size_t>(weights.size() - begin, 64);
    std::uint64_t equal = 0;
    run_wide([&]() __attribute__((always_inline)) {
      equal = bits_of_word(
          count, [wanted](auto weight) __attribute__((always_inline)) { return weight == wanted; },
          weights.data() + begin);
    });
    for (equal &= rows[begin / 64]; equal != 0; equal &= equal - 1)
      visit(static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(__builtin_ctzll(equal)));
  }
}

}  // namespace

std::vector<double>& rounds::begin(std::uint32_t rows) {
  chosen_.push_back(nobody);
  return weights_.emplace_back(rows, 0.0);
}

bool rounds::before(std::uint32_t a, std::uint32_t b) const {
  for (std::size_t round = weights_.size(); round-- > 0;) {
    // Whom the round chose went to its front before the next one sorted.
    if (round + 1 < weights_.size() && (chosen_[round] == a || chosen_[round] == b)) return chosen_[round] == a;
    if (weights_[round][a] != weights_[round][b]) return weights_[round][a] > weights_[round][b];
  }
  return a < b;
}

ranking::ranking(const rounds& order, const std::vector<std::uint64_t>& candidates)
    : order_(order), left_(candidates) {}

std::optional<std::uint32_t> ranking::best() const {
  const auto greatest = greatest_weight(order_.weights(), left_);
  std::optional<std::uint32_t> best;
  if (!greatest) {
    for_each(left_, [&](std::uint32_t row) {
      if (!best || order_.weight(row) > order_.weight(*best) ||
          (order_.weight(row) == order_.weight(*best) && order_.before(row, *best)))
        best = row;
    });
    return best;
  }
  for_each_of_weight(order_.weights(), left_, *greatest, [&](std::uint32_t row) {
    if (!best || order_.before(row, *best)) best = row;
  });
  return best;
}

void ranking::sort_rest() {
  for_each(left_, [this](std::uint32_t row) { sorted_.push_back(row); });
  std::sort(sorted_.begin(), sorted_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return a != b && order_.before(b, a); });
  is_sorted_ = true;
}

std::optional<std::uint32_t> ranking::next() {
  if (!is_sorted_ && scans_ < most_scans) {
    ++scans_;
    const auto row = best();
    if (row) remove(*row);
    return row;
  }
  if (!is_sorted_) sort_rest();
  if (sorted_.empty()) return std::nullopt;
  const auto row = sorted_.back();
  sorted_.pop_back();
  return row;
}

std::vector<std::uint32_t> ranking::take(std::size_t count) {
  std::vector<std::uint32_t> taken;
  while (taken.size() < count) {
    const auto row = next();
    if (!row) break;
    taken.push_back(*row);
  }
  return taken;
}

std::vector<std::uint32_t> ranking::take_equals_of_best() {
  std::vector<std::uint32_t> equals;
  if (!is_sorted_) sort_rest();
  while (!sorted_.empty() && (equals.empty() || order_.weight(sorted_.back()) == order_.weight(equals.front()))) {
    equals.push_back(sorted_.back());
    sorted_.pop_back();
  }
  return equals;
}

}  // namespace filter_driver
