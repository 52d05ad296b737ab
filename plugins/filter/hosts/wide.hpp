// SPDX-License-Identifier: Apache-2.0
//
// Loops over columns, compiled for each width of vectors that a machine may have and run as this one has it: a build for
// any amd64 uses what it finds. Results do not depend on the width, as no operation is fused or reordered.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filter_driver {

enum class vectors : std::uint8_t { bits_128, bits_256, bits_512 };

#if defined(__x86_64__)

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
  loop();
}
template <class Loop>
[[gnu::target("avx2"), gnu::noinline]] void run_with_256_bits(const Loop& loop) {
  loop();
}

// Runs loop(), which has to be inlined whole: an always_inline lambda, and what it calls. The compiler makes the vectors:
// types of its own for them would be taken apart before the lambda gets to a width. `width`: at most the machine's.
template <class Loop>
void run_wide(const Loop& loop, vectors width = widest_vectors()) {
  switch (width) {
    case vectors::bits_512: return run_with_512_bits(loop);
    case vectors::bits_256: return run_with_256_bits(loop);
    case vectors::bits_128: break;
  }
  loop();
}

#else

inline vectors widest_vectors() {
  return vectors::bits_128;
}

template <class Loop>
void run_wide(const Loop& loop, vectors /*width*/ = vectors::bits_128) {
  loop();
}

#endif

// The bit of each row of a word, as wide as a double, so that a comparison of doubles selects it without being narrowed.
struct bit_table {
  alignas(64) std::uint64_t of[64];
};
inline constexpr bit_table row_bits = [] {
  bit_table bits{};
  for (std::size_t row = 0; row < 64; ++row) bits.of[row] = std::uint64_t{1} << row;
  return bits;
}();

// The rows, 64 or fewer, for whose values in the columns holds(a, b...) holds.
template <class Holds, class... Columns>
[[gnu::always_inline]] inline std::uint64_t bits_of_word(std::size_t count, const Holds& holds,
                                                         const Columns*... columns) {
  std::uint64_t bits = 0;
  if (count == 64) {
    for (std::size_t i = 0; i < 64; ++i) bits |= holds(columns[i]...) ? row_bits.of[i] : 0;
    return bits;
  }
  for (std::size_t i = 0; i < count; ++i) bits |= holds(columns[i]...) ? row_bits.of[i] : 0;
  return bits;
}

// The rows, 64 or fewer, whose value is `wanted`.
template <class Value>
std::uint64_t equal_in_word(std::size_t count, const Value* values, Value wanted) {
  std::uint64_t bits = 0;
  run_wide([&]() __attribute__((always_inline)) {
    bits = bits_of_word(
        count, [wanted](auto value) __attribute__((always_inline)) { return value == wanted; }, values);
  });
  return bits;
}
std::uint64_t equal_in_word(std::size_t count, const double* values, double wanted);
std::uint64_t equal_in_word(std::size_t count, const std::uint64_t* values, std::uint64_t wanted);
inline std::uint64_t equal_in_word(std::size_t count, const std::int64_t* values, std::int64_t wanted) {
  return equal_in_word(count, reinterpret_cast<const std::uint64_t*>(values), static_cast<std::uint64_t>(wanted));
}

// The rows, 64 or fewer, for which the two differ.
std::uint64_t differing_in_word(std::size_t count, const std::uint64_t* a, const std::uint64_t* b);

// The rows, 64 or fewer, that have in each column what row `as` has.
template <class... Columns>
std::uint64_t equals_in_word(std::size_t count, std::size_t as, const Columns*... columns) {
  return (equal_in_word(count, columns, columns[as]) & ...);
}

// Of the table's entries for the codes of 64 rows or fewer: whose lowest bit is set, and whose second.
struct looked_up {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
looked_up look_up_in_word(std::size_t count, const std::uint32_t* codes, const std::uint32_t* table);

inline bool has_zero(const std::uint64_t* values, std::size_t count) {
  std::uint64_t zeros = 0;
  run_wide([&]() __attribute__((always_inline)) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i) found |= values[i] == 0 ? 1U : 0U;
    zeros = found;
  });
  return zeros != 0;
}

}  // namespace filter_driver
