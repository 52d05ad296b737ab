// SPDX-License-Identifier: Apache-2.0
#include "decision/classes/kept_class.hpp"

#include <algorithm>
#include <array>
#include <gantry/driver/failure.hpp>

#include "hosts/wide.hpp"

namespace filter_driver {

namespace {

constexpr double no_maximum = -std::numeric_limits<double>::infinity();

// Verdicts that are not the index of a filter.
constexpr std::uint8_t passed_host = 255;
constexpr std::uint8_t incomplete_host = 254;

std::uint32_t words_of(std::uint32_t rows) {
  return (rows + 63) / 64;
}
std::uint32_t blocks_of(std::uint32_t rows) {
  return (rows + block_rows - 1) / block_rows;
}

template <class Visit>
void for_each_bit(std::uint64_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(__builtin_ctzll(bits)));
}

[[noreturn]] void refuse_weight() {
  throw gantry::failure(gantry::code::invalid_argument, "a host's weight is no number");
}

}  // namespace

kept_class::kept_class(std::uint32_t rows, std::size_t filters, std::size_t weighers)
    : rows_(rows),
      passed_(words_of(rows)),
      verdicts_(rows, incomplete_host),
      rejected_(filters),
      raws_(weighers),
      ends_(weighers),
      ranges_(weighers),
      totals_(rows),
      greatest_(blocks_of(rows), no_maximum) {}

std::size_t kept_class::bytes_for(std::uint32_t rows, std::size_t weighers) {
  return std::size_t{rows} * (sizeof(double) * (weighers + 1) + 2);
}

void kept_class::work_out_all(const judges& by) {
  const auto& steps = by.weights.steps();
  for (std::size_t at = 0; at < steps.size(); ++at) raws_[at].resize(steps[at].reads_hosts() ? rows_ : 0);
  std::array<std::uint64_t, block_rows / 64> all;
  all.fill(~std::uint64_t{0});
  for (std::uint32_t first = 0; first < rows_; first += block_rows)
    judge(by, first, std::min(block_rows, rows_ - first), all.data());
  for (std::size_t at = 0; at < raws_.size(); ++at) find_ends(at);
  move_ranges(by.weights);
  for (std::uint32_t first = 0; first < rows_; first += block_rows)
    score(by.weights, first, std::min(block_rows, rows_ - first));
  for (std::uint32_t at = 0; at < greatest_.size(); ++at) find_greatest(at);
}

void kept_class::work_out(const judges& by, std::span<const std::uint32_t> changed) {
  for (const auto row : changed) {
    const auto first = row / 64 * 64;
    const auto which = std::uint64_t{1} << (row % 64);
    judge(by, first, std::min<std::uint32_t>(64, rows_ - first), &which);
  }
  for (std::size_t at = 0; at < raws_.size(); ++at) {
    if (ends_[at].at_low == 0 || ends_[at].at_high == 0) find_ends(at);
  }
  if (move_ranges(by.weights)) {
    for (std::uint32_t first = 0; first < rows_; first += block_rows)
      score(by.weights, first, std::min(block_rows, rows_ - first));
    for (std::uint32_t at = 0; at < greatest_.size(); ++at) find_greatest(at);
    return;
  }
  for (const auto row : changed) {
    score(by.weights, row, 1);
    find_greatest(row / block_rows);
  }
}

// Drops the results of the rows in the bitmap `which` and computes them again. Bit 0 of its first word is row `first`.
void kept_class::judge(const judges& by, std::uint32_t first, std::uint32_t count, const std::uint64_t* which) {
  std::array<std::uint64_t, block_rows / 64> left;
  const block here{first, count, left.data(), by.rooms};
  for (std::uint32_t word = 0; word < here.words(); ++word) {
    const std::uint64_t rows = word * 64 + 64 > count ? (std::uint64_t{1} << (count % 64)) - 1 : ~std::uint64_t{0};
    const std::uint64_t asked = which[word] & rows;
    for_each_bit(asked, [&](std::uint32_t bit) { forget(first + word * 64 + bit); });
    left[word] = asked & by.complete[first / 64 + word];
    complete_ += gantry::count_bits(left[word]);
    passed_[first / 64 + word] &= ~asked;
  }
  const auto& steps = by.filters.steps();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (!steps[at].run) continue;
    auto before = left;
    steps[at].run->keep(here);
    for (std::uint32_t word = 0; word < here.words(); ++word)
      reject(first, word, before[word] & ~left[word], static_cast<std::uint8_t>(at));
  }
  weigh(by, here);
  for (std::uint32_t word = 0; word < here.words(); ++word) {
    passed_[first / 64 + word] |= left[word];
    left_ += gantry::count_bits(left[word]);
    for_each_bit(left[word], [&](std::uint32_t bit) { verdicts_[first + word * 64 + bit] = passed_host; });
  }
}

void kept_class::forget(std::uint32_t row) {
  const auto verdict = verdicts_[row];
  verdicts_[row] = incomplete_host;
  if (verdict == incomplete_host) return;
  --complete_;
  if (verdict != passed_host) {
    --rejected_[verdict];
    return;
  }
  --left_;
  for (std::size_t at = 0; at < raws_.size(); ++at) {
    if (raws_[at].empty()) continue;
    auto& seen = ends_[at];
    if (raws_[at][row] == seen.of.low) --seen.at_low;
    if (raws_[at][row] == seen.of.high) --seen.at_high;
  }
}

void kept_class::reject(std::uint32_t first, std::uint32_t word, std::uint64_t rows, std::uint8_t by) {
  rejected_[by] += gantry::count_bits(rows);
  for_each_bit(rows, [&](std::uint32_t bit) { verdicts_[first + word * 64 + bit] = by; });
}

void kept_class::weigh(const judges& by, const block& here) {
  if (std::all_of(here.rows, here.rows + here.words(), [](std::uint64_t word) { return word == 0; })) return;
  auto& steps = by.weights.steps();
  const double* const numbers = here.numbers();
  for (std::size_t at = 0; at < raws_.size(); ++at) {
    if (raws_[at].empty()) continue;
    steps[at].raw(here, here.numbers());
    here.for_each([&](std::uint32_t i) {
      if (numbers[i] != numbers[i]) refuse_weight();
      raws_[at][here.first + i] = numbers[i];
      note(ends_[at], numbers[i]);
    });
  }
}

void kept_class::note(ends& seen, double raw) {
  if (raw < seen.of.low) seen = {{raw, seen.of.high}, 0, seen.at_high};
  if (raw > seen.of.high) seen = {{seen.of.low, raw}, seen.at_low, 0};
  seen.at_low += raw == seen.of.low ? 1 : 0;
  seen.at_high += raw == seen.of.high ? 1 : 0;
}

void kept_class::find_ends(std::size_t weigher) {
  const auto& raw = raws_[weigher];
  auto& seen = ends_[weigher];
  seen = {};
  if (raw.empty()) return;
  observed_extremes found;
  for (std::uint32_t first = 0; first < rows_; first += block_rows)
    found.add({first, std::min(block_rows, rows_ - first), passed_.data() + first / 64, nullptr}, raw.data() + first);
  if (!found.any()) return;
  seen.of = {found.least(), found.greatest()};
  for (std::uint32_t begin = 0; begin < rows_; begin += 64) {
    const auto count = std::min<std::size_t>(64, rows_ - begin);
    const auto equals = [&](double end) {
      std::uint64_t bits = 0;
      run_wide([&]() __attribute__((always_inline)) {
        bits = bits_of_word(
            count, [end](auto value) __attribute__((always_inline)) { return value == end; }, raw.data() + begin);
      });
      return gantry::count_bits(bits & passed_[begin / 64]);
    };
    seen.at_low += equals(seen.of.low);
    seen.at_high += equals(seen.of.high);
  }
}

// Updates ranges_. Returns true if one of the ranges has changed.
bool kept_class::move_ranges(weighing& weights) {
  bool moved = false;
  auto& steps = weights.steps();
  for (std::size_t at = 0; at < ranges_.size(); ++at) {
    const auto now = raws_[at].empty() || left_ == 0 ? extremes() : steps[at].range(ends_[at].of);
    moved = moved || now.low != ranges_[at].low || now.high != ranges_[at].high;
    ranges_[at] = now;
  }
  return moved;
}

// If `count` is 1, `first` may be any row. If not, `first` must be a multiple of 64.
void kept_class::score(weighing& weights, std::uint32_t first, std::uint32_t count) {
  std::uint64_t one = 1;
  auto* const rows = count == 1 ? &one : passed_.data() + first / 64;
  std::fill_n(totals_.begin() + first, count, 0.0);
  auto& steps = weights.steps();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const double* const raw = raws_[at].empty() ? nullptr : raws_[at].data() + first;
    steps[at].add({first, count, rows, nullptr}, raw, ranges_[at], totals_.data() + first);
  }
}

void kept_class::find_greatest(std::uint32_t block_index) {
  const auto first = block_index * block_rows;
  const auto count = std::min(block_rows, rows_ - first);
  observed_extremes found;
  if (!found.add({first, count, passed_.data() + first / 64, nullptr}, totals_.data() + first)) refuse_weight();
  greatest_[block_index] = found.any() ? found.greatest() : no_maximum;
}

}  // namespace filter_driver
