// SPDX-License-Identifier: Apache-2.0
#include "column_operations.hpp"

#include <algorithm>
#include <array>

namespace lua_driver {

namespace {

constexpr std::size_t block = 64;
using numbers = std::array<double, block>;

// Reads an operand block by block.
class reader {
 public:
  explicit reader(const operand& from) : from_(from) {
    if (from.is == operand::form::number) own_.fill(from.number);
  }

  // Returns the 64 numbers from row `first` on.
  const double* at(std::size_t first) {
    switch (from_.is) {
      case operand::form::number: break;
      case operand::form::reals: return static_cast<const double*>(from_.values) + first;
      case operand::form::integers: {
        const auto* const values = static_cast<const std::int64_t*>(from_.values) + first;
        for (std::size_t row = 0; row < block; ++row) own_[row] = static_cast<double>(values[row]);
        break;
      }
      case operand::form::marks: {
        const std::uint64_t word = static_cast<const std::uint64_t*>(from_.values)[first / block];
        for (std::size_t row = 0; row < block; ++row) own_[row] = static_cast<double>((word >> row) & 1);
        break;
      }
    }
    return own_.data();
  }

 private:
  const operand& from_;
  numbers own_ = {};
};

template <class Operation>
void compute_blocks(const operand& left, const operand& right, std::size_t rows, double* out, Operation operation) {
  reader first(left);
  reader second(right);
  for (std::size_t row = 0; row < rows; row += block) {
    const double* const a = first.at(row);
    const double* const b = second.at(row);
    double* const into = out + row;
    for (std::size_t at = 0; at < block; ++at) into[at] = operation(a[at], b[at]);
  }
}

template <class Operation>
void compare_blocks(const operand& left, const operand& right, std::size_t rows, const std::uint64_t* valid,
                    std::uint64_t* out, Operation operation) {
  reader first(left);
  reader second(right);
  for (std::size_t row = 0; row < rows; row += block) {
    const double* const a = first.at(row);
    const double* const b = second.at(row);
    std::uint64_t word = 0;
    for (std::size_t at = 0; at < block; at += 8) {
      std::uint64_t eight = 0;
      for (std::size_t bit = 0; bit < 8; ++bit) eight |= std::uint64_t{operation(a[at + bit], b[at + bit])} << bit;
      word |= eight << at;
    }
    out[row / block] = valid == nullptr ? word : word & valid[row / block];
  }
}

}  // namespace

void compute_numbers(arithmetic operation, const operand& left, const operand& right, std::size_t rows, double* out) {
  const auto with = [&](auto how) { compute_blocks(left, right, rows, out, how); };
  switch (operation) {
    case arithmetic::plus: return with([](double a, double b) { return a + b; });
    case arithmetic::minus: return with([](double a, double b) { return a - b; });
    case arithmetic::times: return with([](double a, double b) { return a * b; });
    case arithmetic::over: return with([](double a, double b) { return a / b; });
    case arithmetic::least: return with([](double a, double b) { return b < a ? b : a; });
    case arithmetic::greatest: return with([](double a, double b) { return a < b ? b : a; });
  }
}

void compare_numbers(comparison operation, const operand& left, const operand& right, std::size_t rows,
                     const std::uint64_t* valid, std::uint64_t* out) {
  const auto with = [&](auto how) { compare_blocks(left, right, rows, valid, out, how); };
  switch (operation) {
    case comparison::at_least: return with([](double a, double b) { return a >= b; });
    case comparison::at_most: return with([](double a, double b) { return a <= b; });
    case comparison::above: return with([](double a, double b) { return a > b; });
    case comparison::below: return with([](double a, double b) { return a < b; });
    case comparison::equal: return with([](double a, double b) { return a == b; });
  }
}

void choose_numbers(const std::uint64_t* marks, const operand& chosen, const operand& other, std::size_t rows,
                    double* out) {
  reader first(chosen);
  reader second(other);
  for (std::size_t row = 0; row < rows; row += block) {
    const double* const a = first.at(row);
    const double* const b = second.at(row);
    const std::uint64_t word = marks[row / block];
    for (std::size_t at = 0; at < block; ++at) out[row + at] = ((word >> at) & 1) != 0 ? a[at] : b[at];
  }
}

void copy_numbers(const operand& from, std::size_t rows, double* out) {
  reader source(from);
  for (std::size_t row = 0; row < rows; row += block) {
    const double* const values = source.at(row);
    std::copy(values, values + block, out + row);
  }
}

}  // namespace lua_driver
