// SPDX-License-Identifier: Apache-2.0
//
// Loops over columns, compiled for several widths of vector registers. At run time the greatest width that the machine
// has is used, so one build serves every amd64 machine. Results do not depend on the width: no operation is fused or
// reordered. A "word" is 64 rows: one bit for each row in a 64-bit word of a bitmap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filter_driver {

enum class vectors : std::uint8_t { bits_128, bits_256, bits_512 };

#if defined(__x86_64__)

// Returns the greatest width that this machine supports.
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

// Runs loop() with vectors of `width`, which the machine must support. `loop` must be an always_inline lambda, and each
// function that it calls must be inlined too. Write plain loops and let the compiler vectorise them: explicit vector
// types would be split before the lambda is compiled for a width.
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

// A table of the bits of a word: entry r has only bit r set. An entry is as wide as a double, so the mask that a
// comparison of doubles gives selects entries without a conversion.
struct bit_table {
  alignas(64) std::uint64_t of[64];
};
inline constexpr bit_table row_bits = [] {
  bit_table bits{};
  for (std::size_t row = 0; row < 64; ++row) bits.of[row] = std::uint64_t{1} << row;
  return bits;
}();

// Returns a bitmap of the rows for which holds(a, b...) is true. a, b... are the values of one row, one from each
// column. The columns have `count` rows, at most 64.
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

// Returns a bitmap of the rows whose value is `wanted`. `count` is at most 64.
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

// Returns a bitmap of the rows in which the two columns differ. `count` is at most 64.
std::uint64_t differing_in_word(std::size_t count, const std::uint64_t* a, const std::uint64_t* b);

// Returns a bitmap of the rows that are equal to row `as` in each column. `count` is at most 64.
template <class... Columns>
std::uint64_t equals_in_word(std::size_t count, std::size_t as, const Columns*... columns) {
  return (equal_in_word(count, columns, columns[as]) & ...);
}

// Two bitmaps of rows: `first` for the lowest bit of a row's table entry, `second` for the next bit.
struct looked_up {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
// Looks up the entry table[codes[i]] of each row i and returns the two lowest bits of the entries. `count` is at most
// 64.
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
