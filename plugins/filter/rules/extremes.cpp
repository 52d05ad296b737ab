// SPDX-License-Identifier: Apache-2.0
#include "rules/extremes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace filter_driver {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct seen {
  double least = infinity;
  double greatest = -infinity;
  bool has_nan = false;
};

// Separate extremes for each of the 64 positions in a word. So the loop over the positions has no dependencies.
struct places {
  alignas(64) double least[64];
  alignas(64) double greatest[64];
  std::uint64_t nans = 0;
};

[[gnu::always_inline]] inline void add_all(const double* raw, std::uint32_t count, places& into) {
  std::uint64_t nans = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    into.least[i] = raw[i] < into.least[i] ? raw[i] : into.least[i];
    into.greatest[i] = raw[i] > into.greatest[i] ? raw[i] : into.greatest[i];
    nans |= raw[i] != raw[i] ? row_bits.of[i] : 0;
  }
  into.nans |= nans;
}

// A row that is not a candidate is replaced by the first candidate, which does not change the extremes. The replacement
// uses bit masks, since the compiler does not vectorise a branch.
[[gnu::always_inline]] inline void add_some(const double* raw, std::uint32_t count, std::uint64_t rows, places& into) {
  alignas(64) double chosen[64];
  const auto instead = std::bit_cast<std::uint64_t>(raw[__builtin_ctzll(rows)]);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t chosen_bits = (row_bits.of[i] & rows) != 0 ? ~std::uint64_t{0} : 0;
    chosen[i] = std::bit_cast<double>((std::bit_cast<std::uint64_t>(raw[i]) & chosen_bits) | (instead & ~chosen_bits));
  }
  add_all(chosen, count, into);
}

seen seen_in(const block& candidates, const double* raw, vectors width) {
  places each;
  std::fill_n(each.least, 64, infinity);
  std::fill_n(each.greatest, 64, -infinity);
  run_wide(
      [&]() __attribute__((always_inline)) {
        for (std::uint32_t begin = 0; begin < candidates.count; begin += 64) {
          const std::uint64_t rows = candidates.rows[begin / 64];
          if (rows == ~std::uint64_t{0})
            add_all(raw + begin, 64, each);
          else if (rows != 0 && candidates.count - begin >= 64)
            add_some(raw + begin, 64, rows, each);
          else if (rows != 0)
            add_some(raw + begin, candidates.count - begin, rows, each);
        }
      },
      width);
  return {*std::min_element(each.least, each.least + 64), *std::max_element(each.greatest, each.greatest + 64),
          each.nans != 0};
}

void add_divided(const double* raw, std::uint32_t count, const extremes& range, const bounds& cut, double multiplier,
                 double* total, vectors width) {
  run_wide(
      [ =, low = range.low, divisor = range.high - range.low, least = cut.least, greatest = cut.greatest ]()
          __attribute__((always_inline)) {
            for (std::uint32_t i = 0; i < count; ++i) {
              const double above = raw[i] < least ? least : raw[i];
              const double within = above > greatest ? greatest : above;
              total[i] += multiplier * ((within - low) / divisor);
            }
          },
      width);
}

#if defined(__x86_64__)

// Written with intrinsics: a byte of the bitmap is directly the mask of a vector. Compilers do not see this in the
// portable code.
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] seen seen_with_512_bits(const block& candidates,
                                                                              const double* raw) {
  __m512d least[2] = {_mm512_set1_pd(infinity), _mm512_set1_pd(infinity)};
  __m512d greatest[2] = {_mm512_set1_pd(-infinity), _mm512_set1_pd(-infinity)};
  unsigned nans = 0;
  for (std::uint32_t begin = 0; begin < candidates.count; begin += 64) {
    std::uint64_t rows = candidates.rows[begin / 64];
    if (rows == 0) continue;
    for (unsigned i = 0; i < 8; ++i, rows >>= 8) {
      const auto mask = static_cast<__mmask8>(rows);
      const auto values =
          _mm512_maskz_loadu_pd(mask, raw + begin + 8 * std::size_t{i});  // does not read beyond the last row
      least[i % 2] = _mm512_mask_min_pd(least[i % 2], mask, values, least[i % 2]);
      greatest[i % 2] = _mm512_mask_max_pd(greatest[i % 2], mask, values, greatest[i % 2]);
      nans |= _mm512_cmp_pd_mask(values, values, _CMP_UNORD_Q);
    }
  }
  return {_mm512_reduce_min_pd(_mm512_min_pd(least[0], least[1])),
          _mm512_reduce_max_pd(_mm512_max_pd(greatest[0], greatest[1])), nans != 0};
}

// Division by multiplication with the reciprocal, which takes half the time of a division instruction. The reciprocal
// is a sum of two doubles. The first estimate of the quotient is within one unit in the last place. Its remainder is
// exact, and one correction by the remainder gives the correctly rounded quotient (P. Markstein, Computation of
// elementary functions on the IBM RISC System/6000 processor, theorem 8.2). This requires exponents far from the ends
// of the range. A divisor outside `small` to `large` takes the portable code. Numerators below `small` take the
// division instruction.
constexpr double small = 0x1p-400;
constexpr double large = 0x1p+400;

// The parameters of add_shares(), the same for each vector of a column.
struct division {
  extremes range;
  bounds cut;
  double multiplier;
  double divisor = range.high - range.low;
  double reciprocal = 1 / divisor;
  double rest_of_reciprocal = std::fma(-divisor, reciprocal, 1.0) / divisor;
};

// Number of vectors that are divided together, with one common check for numerators that are too small.
constexpr std::size_t together = 8;

template <bool IsCut>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl"), gnu::always_inline]] inline __m512d above_low(__m512d values,
                                                                                                   const division& by) {
  if constexpr (IsCut)
    values = _mm512_min_pd(_mm512_set1_pd(by.cut.greatest), _mm512_max_pd(_mm512_set1_pd(by.cut.least), values));
  return _mm512_sub_pd(values, _mm512_set1_pd(by.range.low));
}

// Replaces the numerators by quotients. Magnitudes are compared as integers: the bits of a double without the sign bit
// have the order of the absolute values. Subtracting 1 makes zero the greatest, so a zero numerator does not count as
// too small.
template <std::size_t Count>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl"), gnu::always_inline]] inline void divide(__m512d (&numbers)[Count],
                                                                                             const division& by) {
  const auto width = _mm512_set1_pd(by.divisor);
  const auto upper = _mm512_set1_pd(by.reciprocal);
  const auto lower = _mm512_set1_pd(by.rest_of_reciprocal);
  const auto one = _mm512_set1_epi64(1);
  __m512d quotients[Count];
  auto smallest = _mm512_set1_epi64(-1);
  for (std::size_t i = 0; i < Count; ++i) {
    const auto above = numbers[i];
    const auto estimate = _mm512_fmadd_pd(above, upper, _mm512_mul_pd(above, lower));
    quotients[i] = _mm512_fmadd_pd(_mm512_fnmadd_pd(width, estimate, above), upper, estimate);
    const auto magnitude = _mm512_sub_epi64(_mm512_slli_epi64(_mm512_castpd_si512(above), 1), one);
    smallest = _mm512_min_epu64(smallest, magnitude);
  }
  const auto limit = _mm512_set1_epi64(static_cast<std::int64_t>((std::bit_cast<std::uint64_t>(small) << 1) - 1));
  const bool divides = _mm512_cmp_epu64_mask(smallest, limit, _MM_CMPINT_LT) != 0;
  for (std::size_t i = 0; i < Count; ++i) {
    if (__builtin_expect(divides, 0)) quotients[i] = _mm512_div_pd(numbers[i], width);
    numbers[i] = quotients[i];
  }
}

template <bool IsCut, bool IsMultiplied>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] void add_shares(const double* raw, std::uint32_t count,
                                                                      const division& by, double* total) {
  const auto times = _mm512_set1_pd(by.multiplier);
  std::uint32_t begin = 0;
  for (; begin + 8 * together <= count; begin += 8 * together) {
    __m512d shares[together];
    for (std::size_t i = 0; i < together; ++i) shares[i] = above_low<IsCut>(_mm512_loadu_pd(raw + begin + 8 * i), by);
    divide(shares, by);
    for (std::size_t i = 0; i < together; ++i) {
      const auto share = IsMultiplied ? _mm512_mul_pd(times, shares[i]) : shares[i];
      _mm512_storeu_pd(total + begin + 8 * i, _mm512_add_pd(_mm512_loadu_pd(total + begin + 8 * i), share));
    }
  }
  for (; begin < count; begin += 8) {
    const auto mask = static_cast<__mmask8>(count - begin >= 8 ? 0xff : (1U << (count - begin)) - 1);
    __m512d shares[1] = {above_low<IsCut>(_mm512_maskz_loadu_pd(mask, raw + begin), by)};
    divide(shares, by);
    const auto share = IsMultiplied ? _mm512_mul_pd(times, shares[0]) : shares[0];
    const auto before = _mm512_maskz_loadu_pd(mask, total + begin);
    _mm512_mask_storeu_pd(total + begin, mask, _mm512_add_pd(before, share));
  }
}

void add_normalised_with_512_bits(const double* raw, std::uint32_t count, const division& by, bool is_cut,
                                  double* total) {
  const bool is_multiplied = by.multiplier != 1;
  if (is_cut)
    return is_multiplied ? add_shares<true, true>(raw, count, by, total)
                         : add_shares<true, false>(raw, count, by, total);
  return is_multiplied ? add_shares<false, true>(raw, count, by, total)
                       : add_shares<false, false>(raw, count, by, total);
}

#endif

}  // namespace

bool observed_extremes::add(const block& candidates, const double* raw, vectors width) {
  const std::uint64_t* const begin = candidates.rows;
  if (std::all_of(begin, begin + candidates.words(), [](std::uint64_t word) { return word == 0; })) return true;
#if defined(__x86_64__)
  const auto here = width == vectors::bits_512 ? seen_with_512_bits(candidates, raw) : seen_in(candidates, raw, width);
#else
  const auto here = seen_in(candidates, raw, width);
#endif
  if (here.has_nan) return false;
  least_ = any_ ? std::min(least_, here.least) : here.least;
  greatest_ = any_ ? std::max(greatest_, here.greatest) : here.greatest;
  any_ = true;
  return true;
}

void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total, vectors width) {
  const auto limits = cut == nullptr ? bounds{-infinity, infinity} : *cut;
  if (std::isinf(range.high - range.low)) [[unlikely]] {
    for (std::uint32_t i = 0; i < count; ++i) {
      const double within = std::min(std::max(raw[i], limits.least), limits.greatest);
      total[i] += multiplier * normalised(within, range);
    }
    return;
  }
#if defined(__x86_64__)
  const double divisor = range.high - range.low;
  if (width == vectors::bits_512 && divisor >= small && divisor <= large)
    return add_normalised_with_512_bits(raw, count, {range, limits, multiplier}, cut != nullptr, total);
#endif
  add_divided(raw, count, range, limits, multiplier, total, width);
}

}  // namespace filter_driver
