// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <algorithm>

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
  std::optional<std::uint32_t> best;
  for_each(left_, [&](std::uint32_t row) {
    if (!best || order_.weight(row) > order_.weight(*best) ||
        (order_.weight(row) == order_.weight(*best) && order_.before(row, *best)))
      best = row;
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
