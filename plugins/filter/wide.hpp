// SPDX-License-Identifier: Apache-2.0
//
// Loops over columns, compiled for each width of vectors that a machine may have and run as this one has it: a build for
// any amd64 uses what it finds. Results do not depend on the width, as no operation is fused or reordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace filter_driver {

#if defined(__x86_64__)

enum class vectors : std::uint8_t { bits_128, bits_256, bits_512 };

// Of this machine.
inline vectors widest_vectors() {
  static const vectors found = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
      return vectors::bits_512;
    return __builtin_cpu_supports("avx2") ? vectors::bits_256 : vectors::bits_128;
  }();
  return found;
}

template <class Loop>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl"), gnu::noinline]] void run_with_512_bits(const Loop& loop) {
  loop(std::integral_constant<std::size_t, 8>());
}
template <class Loop>
[[gnu::target("avx2"), gnu::noinline]] void run_with_256_bits(const Loop& loop) {
  loop(std::integral_constant<std::size_t, 4>());
}

// Runs loop(std::integral_constant: as many doubles as a register holds). It has to be inlined whole: an always_inline
// lambda, and what it calls.
template <class Loop>
void run_wide(const Loop& loop) {
  switch (widest_vectors()) {
    case vectors::bits_512: return run_with_512_bits(loop);
    case vectors::bits_256: return run_with_256_bits(loop);
    case vectors::bits_128: break;
  }
  loop(std::integral_constant<std::size_t, 2>());
}

#else

template <class Loop>
void run_wide(const Loop& loop) {
  loop(std::integral_constant<std::size_t, 2>());
}

#endif

// Eight truth values, a byte each (0 or 1), as bits.
[[gnu::always_inline]] inline std::uint64_t bits_of(const std::uint8_t* truths) {
  std::uint64_t eight = 0;
  __builtin_memcpy(&eight, truths, sizeof eight);
  return (eight * 0x0102040810204080U) >> 56;
}

}  // namespace filter_driver
