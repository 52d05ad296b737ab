// SPDX-License-Identifier: Apache-2.0
#include "hosts/wide.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace filter_driver {

namespace {

#if defined(__x86_64__)

// Written with intrinsics: the mask of a comparison is directly a byte of the bitmap. Compilers do not see this in
// bits_of_word(). The arguments of `compare` are the index of the first of eight rows, and the mask of the rows that
// exist.
template <class Compare>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl"), gnu::always_inline]] inline std::uint64_t masks_of_word(
    std::size_t count, const Compare& compare) {
  std::uint64_t bits = 0;
  if (count == 64) {
    for (std::size_t i = 0; i < 64; i += 8) bits |= static_cast<std::uint64_t>(compare(i, __mmask8{0xff})) << i;
    return bits;
  }
  for (std::size_t i = 0; i < count; i += 8) {
    const auto there = static_cast<__mmask8>(count - i >= 8 ? 0xff : (1U << (count - i)) - 1);
    bits |= static_cast<std::uint64_t>(compare(i, there)) << i;
  }
  return bits;
}

[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] std::uint64_t equal_with_512_bits(std::size_t count,
                                                                                        const double* values,
                                                                                        double wanted) {
  const auto one = _mm512_set1_pd(wanted);
  return masks_of_word(
      count, [=](std::size_t i, __mmask8 there)
                 __attribute__((always_inline, target("avx512f,avx512dq,avx512bw,avx512vl"))) {
                   return _mm512_mask_cmp_pd_mask(there, _mm512_maskz_loadu_pd(there, values + i), one, _CMP_EQ_OQ);
                 });
}

[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] std::uint64_t equal_with_512_bits(std::size_t count,
                                                                                        const std::uint64_t* values,
                                                                                        std::uint64_t wanted) {
  const auto one = _mm512_set1_epi64(static_cast<std::int64_t>(wanted));
  return masks_of_word(
      count, [=](std::size_t i, __mmask8 there)
                 __attribute__((always_inline, target("avx512f,avx512dq,avx512bw,avx512vl"))) {
                   return _mm512_mask_cmpeq_epi64_mask(there, _mm512_maskz_loadu_epi64(there, values + i), one);
                 });
}

[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] std::uint64_t differing_with_512_bits(std::size_t count,
                                                                                            const std::uint64_t* a,
                                                                                            const std::uint64_t* b) {
  return masks_of_word(
      count, [=](std::size_t i, __mmask8 there)
                 __attribute__((always_inline, target("avx512f,avx512dq,avx512bw,avx512vl"))) {
                   return _mm512_mask_cmpneq_epi64_mask(there, _mm512_maskz_loadu_epi64(there, a + i),
                                                        _mm512_maskz_loadu_epi64(there, b + i));
                 });
}

[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] looked_up look_up_with_512_bits(const std::uint32_t* codes,
                                                                                      const std::uint32_t* table) {
  looked_up found;
  for (std::size_t i = 0; i < 64; i += 16) {
    const auto entries = _mm512_i32gather_epi32(_mm512_loadu_si512(codes + i), table, sizeof *table);
    found.first |= static_cast<std::uint64_t>(_mm512_test_epi32_mask(entries, _mm512_set1_epi32(1))) << i;
    found.second |= static_cast<std::uint64_t>(_mm512_test_epi32_mask(entries, _mm512_set1_epi32(2))) << i;
  }
  return found;
}

#endif

}  // namespace

looked_up look_up_in_word(std::size_t count, const std::uint32_t* codes, const std::uint32_t* table) {
#if defined(__x86_64__)
  if (count == 64 && widest_vectors() == vectors::bits_512) return look_up_with_512_bits(codes, table);
#endif
  looked_up found;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t entry = table[codes[i]];
    found.first |= (entry & 1) << i;
    found.second |= ((entry >> 1) & 1) << i;
  }
  return found;
}

std::uint64_t equal_in_word(std::size_t count, const double* values, double wanted) {
#if defined(__x86_64__)
  if (widest_vectors() == vectors::bits_512) return equal_with_512_bits(count, values, wanted);
#endif
  return equal_in_word<>(count, values, wanted);
}

std::uint64_t equal_in_word(std::size_t count, const std::uint64_t* values, std::uint64_t wanted) {
#if defined(__x86_64__)
  if (widest_vectors() == vectors::bits_512) return equal_with_512_bits(count, values, wanted);
#endif
  return equal_in_word<>(count, values, wanted);
}

std::uint64_t differing_in_word(std::size_t count, const std::uint64_t* a, const std::uint64_t* b) {
#if defined(__x86_64__)
  if (widest_vectors() == vectors::bits_512) return differing_with_512_bits(count, a, b);
#endif
  std::uint64_t bits = 0;
  run_wide([&]() __attribute__((always_inline)) {
    bits = bits_of_word(
        count, [](auto left, auto right) __attribute__((always_inline)) { return left != right; }, a, b);
  });
  return bits;
}

}  // namespace filter_driver
