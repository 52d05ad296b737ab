// SPDX-License-Identifier: Apache-2.0
#include "extremes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace filter_driver {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of each place in a word by itself, which needs no order among them.
struct seen {
  alignas(64) double least[64];
  alignas(64) double greatest[64];
  std::uint64_t nans = 0;
};

[[gnu::always_inline]] inline void add_all(const double* raw, std::uint32_t count, seen& into) {
  std::uint64_t nans = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    into.least[i] = raw[i] < into.least[i] ? raw[i] : into.least[i];
    into.greatest[i] = raw[i] > into.greatest[i] ? raw[i] : into.greatest[i];
    nans |= raw[i] != raw[i] ? row_bits.of[i] : 0;
  }
  into.nans |= nans;
}

// What is no candidate counts as the first candidate does, which changes nothing: a choice by bits, as one by a branch
// would not become vectors.
[[gnu::always_inline]] inline void add_some(const double* raw, std::uint32_t count, std::uint64_t rows, seen& into) {
  alignas(64) double chosen[64];
  const auto instead = std::bit_cast<std::uint64_t>(raw[__builtin_ctzll(rows)]);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t counts = (row_bits.of[i] & rows) != 0 ? ~std::uint64_t{0} : 0;
    chosen[i] = std::bit_cast<double>((std::bit_cast<std::uint64_t>(raw[i]) & counts) | (instead & ~counts));
  }
  add_all(chosen, count, into);
}

}  // namespace

bool observed_extremes::add(const block& candidates, const double* raw) {
  seen here;
  std::fill_n(here.least, 64, infinity);
  std::fill_n(here.greatest, 64, -infinity);
  std::uint64_t any = 0;
  run_wide([&]() __attribute__((always_inline)) {
    for (std::uint32_t begin = 0; begin < candidates.count; begin += 64) {
      const std::uint64_t rows = candidates.rows[begin / 64];
      any |= rows;
      if (rows == ~std::uint64_t{0})
        add_all(raw + begin, 64, here);
      else if (rows != 0 && candidates.count - begin >= 64)
        add_some(raw + begin, 64, rows, here);
      else if (rows != 0)
        add_some(raw + begin, candidates.count - begin, rows, here);
    }
  });
  if (here.nans != 0) return false;
  if (any == 0) return true;
  const double least = *std::min_element(here.least, here.least + 64);
  const double greatest = *std::max_element(here.greatest, here.greatest + 64);
  least_ = any_ ? std::min(least_, least) : least;
  greatest_ = any_ ? std::max(greatest_, greatest) : greatest;
  any_ = true;
  return true;
}

void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total) {
  const double low = range.low;
  const double width = range.high - range.low;
  if (cut == nullptr) {
    run_wide([=]() __attribute__((always_inline)) {
      for (std::uint32_t i = 0; i < count; ++i) total[i] += multiplier * ((raw[i] - low) / width);
    });
    return;
  }
  run_wide([ =, least = cut->least, greatest = cut->greatest ]() __attribute__((always_inline)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const double above = raw[i] < least ? least : raw[i];
      const double within = above > greatest ? greatest : above;
      total[i] += multiplier * ((within - low) / width);
    }
  });
}

}  // namespace filter_driver
