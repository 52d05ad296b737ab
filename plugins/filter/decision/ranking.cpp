// SPDX-License-Identifier: Apache-2.0
#include "decision/ranking.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "hosts/host_table.hpp"
#include "hosts/wide.hpp"

namespace filter_driver {

namespace {

// Up to this many picks, scanning for the best row each time is cheaper than sorting all rows.
constexpr std::size_t most_scans = 4;
constexpr std::size_t block_words = block_rows / 64;

// Raises `greatest` to the greatest weight among the rows of the words, if that is greater. Returns false if one of
// these weights is NaN.
bool add_greatest(const double* weights, std::size_t count, const std::uint64_t* rows, double& greatest) {
  std::uint64_t nans = 0;
  run_wide([&]() __attribute__((always_inline)) {
    for (std::size_t begin = 0; begin < count; begin += 64) {
      const auto word = rows[begin / 64];
      if (word == 0) continue;
      const std::size_t here = std::min<std::size_t>(count - begin, 64);
      nans |= word &
              bits_of_word(
                  here, [](auto weight) __attribute__((always_inline)) { return weight != weight; }, weights + begin);
      // A scalar loop visits only the rows with a greater weight.
      auto greater =
          word & bits_of_word(
                     here, [greatest](auto weight) __attribute__((always_inline)) { return weight > greatest; },
                     weights + begin);
      for (; greater != 0; greater &= greater - 1) {
        const double weight = weights[begin + static_cast<std::size_t>(__builtin_ctzll(greater))];
        greatest = weight > greatest ? weight : greatest;
      }
    }
  });
  return nans == 0;
}

double greatest_of(std::span<const double> bounds) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> greatest;
  greatest.fill(-std::numeric_limits<double>::infinity());
  run_wide([&]() __attribute__((always_inline)) {
    auto here = greatest;
    std::size_t at = 0;
    for (; at + lanes <= bounds.size(); at += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        here[lane] = bounds[at + lane] > here[lane] ? bounds[at + lane] : here[lane];
    }
    for (; at < bounds.size(); ++at) here[0] = bounds[at] > here[0] ? bounds[at] : here[0];
    greatest = here;
  });
  return *std::max_element(greatest.begin(), greatest.end());
}

// Returns the first block, from `from` on, whose bound is at least `least`. Returns bounds.size() if there is none.
std::size_t next_block(std::span<const double> bounds, std::size_t from, double least) {
  std::uint64_t found = 0;
  for (std::size_t begin = from; begin < bounds.size(); begin += 64) {
    const auto here = std::min<std::size_t>(bounds.size() - begin, 64);
    run_wide([&]() __attribute__((always_inline)) {
      found = bits_of_word(
          here, [least](auto bound) __attribute__((always_inline)) { return bound >= least; }, bounds.data() + begin);
    });
    if (found != 0) return begin + static_cast<std::size_t>(__builtin_ctzll(found));
  }
  return bounds.size();
}

bool is_among(const std::vector<std::uint64_t>& rows, std::uint32_t row) {
  return (rows[row / 64] >> (row % 64) & 1) != 0;
}

// Sorts the rows by falling weight and keeps the order of equals. The row in front was chosen by the round before:
// often it is the only one that changes its place.
void sort_again(std::vector<std::uint32_t>& order, std::span<const double> weights) {
  const auto is_heavier = [weights](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; };
  if (order.size() < 2) return;
  const auto second = order.begin() + 1;
  if (!std::is_sorted(second, order.end(), is_heavier)) {
    std::stable_sort(order.begin(), order.end(), is_heavier);
    return;
  }
  std::rotate(order.begin(), second, std::lower_bound(second, order.end(), order.front(), is_heavier));
}

}  // namespace

void rounds::begin(std::span<const double> weights, std::span<const double> greatest,
                   const std::vector<std::uint64_t>& candidates) {
  if (count_ != 0) settle(candidates);
  ++count_;
  weights_ = weights;
  greatest_ = greatest;
  chosen_ = nobody;
}

// Puts the candidates into the order in which the round that ends leaves them.
void rounds::settle(const std::vector<std::uint64_t>& candidates) {
  if (count_ == 1) {
    place_.resize(weights_.size());
    for (std::uint32_t row = 0; row < weights_.size(); ++row) {
      if (is_among(candidates, row)) order_.push_back(row);
    }
  } else {
    std::erase_if(order_, [&candidates](std::uint32_t row) { return !is_among(candidates, row); });
  }
  sort_again(order_, weights_);
  // Nova moves the chosen host of a round to the front of the list before the next round sorts the list.
  const auto chosen = std::find(order_.begin(), order_.end(), chosen_);
  if (chosen != order_.end()) std::rotate(order_.begin(), chosen, chosen + 1);
  for (std::uint32_t place = 0; place < order_.size(); ++place) place_[order_[place]] = place;
}

bool rounds::before(std::uint32_t a, std::uint32_t b) const {
  if (weights_[a] != weights_[b]) return weights_[a] > weights_[b];
  return is_first() ? a < b : place_[a] < place_[b];
}

ranking::ranking(const rounds& order, const std::vector<std::uint64_t>& candidates)
    : order_(order), candidates_(candidates) {}

std::uint64_t ranking::left(std::size_t word) const {
  auto rows = candidates_[word];
  for (const auto row : taken_) {
    if (row / 64 == word) rows &= ~(std::uint64_t{1} << (row % 64));
  }
  return rows;
}

template <class Visit>
void ranking::for_each_left(Visit&& visit) const {
  for (std::size_t word = 0; word < candidates_.size(); ++word) {
    for (auto rest = left(word); rest != 0; rest &= rest - 1)
      visit(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
  }
}

bool ranking::add_greatest_of(std::size_t block, double& greatest) const {
  const auto weights = order_.weights();
  const auto first = block * block_rows;
  std::array<std::uint64_t, block_rows / 64> rows;
  const auto words = std::min(rows.size(), candidates_.size() - first / 64);
  for (std::size_t word = 0; word < words; ++word) rows[word] = left(first / 64 + word);
  return add_greatest(weights.data() + first, std::min<std::size_t>(weights.size() - first, block_rows), rows.data(),
                      greatest);
}

// Returns the greatest weight of the remaining rows. Empty if no row remains, or if a weight is NaN.
std::optional<double> ranking::greatest() const {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  double greatest = nothing;
  const auto bounds = order_.greatest_weights();
  if (bounds.empty()) {
    for (std::size_t block = 0; block * block_rows < order_.weights().size(); ++block) {
      if (!add_greatest_of(block, greatest)) return std::nullopt;
    }
  } else {
    // Start with the block of the greatest bound. Most other blocks can be skipped then.
    const auto most = next_block(bounds, 0, greatest_of(bounds));
    if (most < bounds.size() && !add_greatest_of(most, greatest)) return std::nullopt;
    for (auto block = next_block(bounds, 0, greatest); block < bounds.size();
         block = next_block(bounds, block + 1, greatest)) {
      if (bounds[block] > greatest && !add_greatest_of(block, greatest)) return std::nullopt;
    }
  }
  if (greatest == nothing) return std::nullopt;
  return greatest;
}

std::optional<std::uint32_t> ranking::best() {
  if (level_ && order_.is_first() && !taken_.empty()) {
    if (const auto equal = first_of_weight(*level_, taken_.back() + 1)) return equal;
  }
  const auto best_of = [this](double weight) {
    return order_.is_first() ? first_of_weight(weight, 0) : best_of_weight(weight);
  };
  // In most cases some remaining row has exactly the greatest bound as its weight.
  if (const auto bounds = order_.greatest_weights(); !bounds.empty()) {
    level_ = greatest_of(bounds);
    if (const auto row = best_of(*level_)) return row;
  }
  level_ = greatest();
  if (level_) return best_of(*level_);
  std::optional<std::uint32_t> best;
  for_each_left([&](std::uint32_t row) {
    if (!best || order_.weight(row) > order_.weight(*best) ||
        (order_.weight(row) == order_.weight(*best) && order_.before(row, *best)))
      best = row;
  });
  return best;
}

std::optional<std::uint32_t> ranking::first_of_weight(double weight, std::uint32_t from) const {
  const auto weights = order_.weights();
  const auto bounds = order_.greatest_weights();
  for (std::size_t word = from / 64; word < candidates_.size(); ++word) {
    if (!bounds.empty() && bounds[word / block_words] < weight) {
      const auto block = next_block(bounds, word / block_words, weight);
      if (block == bounds.size()) break;
      word = block * block_words;
    }
    const auto first = word * 64;
    auto rows = left(word);
    if (first < from) rows &= ~std::uint64_t{0} << (from - first);
    if (rows != 0)
      rows &= equal_in_word(std::min<std::size_t>(weights.size() - first, 64), weights.data() + first, weight);
    if (rows != 0) return static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(__builtin_ctzll(rows));
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ranking::best_of_weight(double weight) const {
  auto best = first_of_weight(weight, 0);
  for (auto row = best; row; row = first_of_weight(weight, *row + 1)) {
    if (order_.before(*row, *best)) best = row;
  }
  return best;
}

void ranking::sort_rest() {
  for_each_left([this](std::uint32_t row) { sorted_.push_back(row); });
  std::sort(sorted_.begin(), sorted_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return a != b && order_.before(b, a); });
  is_sorted_ = true;
}

std::optional<std::uint32_t> ranking::next() {
  if (!is_sorted_ && taken_.size() < most_scans) {
    const auto row = best();
    if (row) taken_.push_back(*row);
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
