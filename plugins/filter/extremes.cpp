// SPDX-License-Identifier: Apache-2.0
#include "extremes.hpp"

#include <algorithm>
#include <limits>

namespace filter_driver {

namespace {

constexpr std::size_t chains = 4;  // of comparisons that do not wait for each other

template <std::size_t Doubles>
struct vector_of {
  using numbers __attribute__((vector_size(Doubles * 8))) = double;
  using masks __attribute__((vector_size(Doubles * 8))) = std::int64_t;  // -1: holds, 0: does not
};

struct seen {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  bool has_nan = false;
};

// 64 rows at a time: registers of `Doubles` rows, `chains` of them side by side.
template <std::size_t Doubles>
[[gnu::always_inline]] inline void scan(const std::uint64_t* rows, std::uint32_t words, const double* raw, seen& out) {
  using numbers = typename vector_of<Doubles>::numbers;
  using masks = typename vector_of<Doubles>::masks;
  constexpr std::size_t step = Doubles * chains;
  masks lanes;
  for (std::size_t lane = 0; lane < Doubles; ++lane) lanes[lane] = std::int64_t{1} << lane;
  numbers least[chains];
  numbers greatest[chains];
  masks nans[chains];
  for (std::size_t chain = 0; chain < chains; ++chain) {
    least[chain] = numbers{} + out.least;
    greatest[chain] = numbers{} + out.greatest;
    nans[chain] = masks{};
  }
  for (std::uint32_t word = 0; word < words; ++word) {
    const std::uint64_t bits = rows[word];
    if (bits == 0) continue;
    for (std::size_t at = 0; at < 64; at += step) {
      for (std::size_t chain = 0; chain < chains; ++chain) {
        const std::size_t here = at + chain * Doubles;
        numbers value;
        __builtin_memcpy(&value, raw + word * 64 + here, sizeof value);
        const masks candidate = (lanes & static_cast<std::int64_t>(bits >> here)) != 0;
        nans[chain] |= candidate & (value != value);
        const numbers low = candidate ? value : least[chain];
        const numbers high = candidate ? value : greatest[chain];
        least[chain] = low < least[chain] ? low : least[chain];
        greatest[chain] = high > greatest[chain] ? high : greatest[chain];
      }
    }
  }
  for (std::size_t chain = 0; chain < chains; ++chain) {
    for (std::size_t lane = 0; lane < Doubles; ++lane) {
      out.least = std::min(out.least, static_cast<double>(least[chain][lane]));
      out.greatest = std::max(out.greatest, static_cast<double>(greatest[chain][lane]));
      out.has_nan = out.has_nan || nans[chain][lane] != 0;
    }
  }
}

}  // namespace

bool observed_extremes::add(const block& candidates, const double* raw) {
  seen here;
  const std::uint32_t whole = candidates.count / 64;
  run_wide([&](auto doubles) __attribute__((always_inline)) { scan<doubles>(candidates.rows, whole, raw, here); });
  if (const std::uint32_t rest = candidates.count % 64; rest != 0) {
    for (std::uint64_t bits = candidates.rows[whole]; bits != 0; bits &= bits - 1) {
      const double value = raw[whole * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits))];
      here.least = std::min(here.least, value);
      here.greatest = std::max(here.greatest, value);
      here.has_nan = here.has_nan || value != value;
    }
  }
  if (here.has_nan) return false;
  const bool found =
      std::any_of(candidates.rows, candidates.rows + candidates.words(), [](auto word) { return word != 0; });
  if (!found) return true;
  least_ = any_ ? std::min(least_, here.least) : here.least;
  greatest_ = any_ ? std::max(greatest_, here.greatest) : here.greatest;
  any_ = true;
  return true;
}

void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total) {
  const double low = range.low;
  const double width = range.high - range.low;
  if (cut == nullptr) {
    run_wide([=](auto /*doubles*/) __attribute__((always_inline)) {
      for (std::uint32_t i = 0; i < count; ++i) total[i] += multiplier * ((raw[i] - low) / width);
    });
    return;
  }
  run_wide([ =, least = cut->least, greatest = cut->greatest ](auto /*doubles*/) __attribute__((always_inline)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const double above = raw[i] < least ? least : raw[i];
      const double within = above > greatest ? greatest : above;
      total[i] += multiplier * ((within - low) / width);
    }
  });
}

}  // namespace filter_driver
