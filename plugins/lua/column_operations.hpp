// SPDX-License-Identifier: Apache-2.0
//
// The loops over columns of numbers. They go in blocks of 64 rows, so that numbers that are no doubles are converted where
// the cache has them. Each array can be read and written up to the next multiple of 64 rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lua_driver {

// Each bit of a word by itself: marks are put together of lanes as wide as the numbers, which compilers vectorise.
constexpr std::array<std::uint64_t, 64> single_bits = [] {
  std::array<std::uint64_t, 64> bits = {};
  for (std::size_t at = 0; at < 64; ++at) bits[at] = std::uint64_t{1} << at;
  return bits;
}();

// One side of an operation: one number, or a number for each row. Marks count as 0 and 1.
struct operand {
  enum class form { number, reals, integers, marks };
  form is = form::number;
  const void* values = nullptr;
  const std::uint64_t* validity = nullptr;  // nullptr: each row has a value
  double number = 0;
};

enum class arithmetic { plus, minus, times, over, least, greatest };
enum class comparison { at_least, at_most, above, below, equal };

void compute_numbers(arithmetic operation, const operand& left, const operand& right, std::size_t rows, double* out);
// Sets the bits of the rows for which the comparison holds and whose bit in `valid` is set. nullptr: each bit is.
void compare_numbers(comparison operation, const operand& left, const operand& right, std::size_t rows,
                     const std::uint64_t* valid, std::uint64_t* out);
void choose_numbers(const std::uint64_t* marks, const operand& chosen, const operand& other, std::size_t rows,
                    double* out);
bool are_finite(const double* numbers, std::size_t rows);

// The least and the greatest number among marked rows; infinite if none is marked.
struct extremes {
  double least;
  double greatest;
};
extremes extremes_of(const double* numbers, const std::uint64_t* marks, std::size_t rows);
// Returns the marks of the 64 numbers that equal `wanted`.
std::uint64_t marks_of_equal(const double* numbers, double wanted);

void copy_numbers(const operand& from, std::size_t rows, double* out);

}  // namespace lua_driver
