// SPDX-License-Identifier: Apache-2.0
#include "column_operations.hpp"

#include <algorithm>
#include <limits>

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
    for (std::size_t at = 0; at < block; ++at) word |= operation(a[at], b[at]) ? single_bits[at] : 0;
    out[row / block] = valid == nullptr ? word : word & valid[row / block];
  }
}

// Returns 0 for each bit that is set, infinity for the others.
std::array<double, block> infinite_where_clear(std::uint64_t word) {
  constexpr auto table = [] {
    std::array<std::array<double, 4>, 16> entries = {};
    for (std::size_t pattern = 0; pattern < 16; ++pattern) {
      for (std::size_t bit = 0; bit < 4; ++bit)
        entries[pattern][bit] = ((pattern >> bit) & 1) != 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return entries;
  }();
  std::array<double, block> values;
  for (std::size_t part = 0; part < 16; ++part) {
    for (std::size_t bit = 0; bit < 4; ++bit) values[part * 4 + bit] = table[(word >> (part * 4)) & 15][bit];
  }
  return values;
}

constexpr std::size_t lanes = 8;  // independent results of a loop, so that one does not wait for the other

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

bool are_finite(const double* numbers, std::size_t rows) {
  std::array<double, lanes> sums = {};  // each stays 0 while its numbers are finite
  for (std::size_t row = 0; row < rows; row += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += numbers[row + lane] * 0.0;
  }
  return std::all_of(sums.begin(), sums.end(), [](double sum) { return sum == 0; });
}

extremes extremes_of(const double* numbers, const std::uint64_t* marks, std::size_t rows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, lanes> least;
  std::array<double, lanes> greatest;
  least.fill(infinity);
  greatest.fill(-infinity);
  for (std::size_t row = 0; row < rows; row += block) {
    if (marks[row / block] == 0) continue;
    const std::array<double, block> barred = infinite_where_clear(marks[row / block]);
    for (std::size_t at = 0; at < block; at += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double number = numbers[row + at + lane];
        const double low = number + barred[at + lane];
        const double high = number - barred[at + lane];
        least[lane] = low < least[lane] ? low : least[lane];
        greatest[lane] = high > greatest[lane] ? high : greatest[lane];
      }
    }
  }
  return {*std::min_element(least.begin(), least.end()), *std::max_element(greatest.begin(), greatest.end())};
}

std::uint64_t marks_of_equal(const double* numbers, double wanted) {
  std::uint64_t word = 0;
  for (std::size_t at = 0; at < block; ++at) word |= numbers[at] == wanted ? single_bits[at] : 0;
  return word;
}

void copy_numbers(const operand& from, std::size_t rows, double* out) {
  reader source(from);
  for (std::size_t row = 0; row < rows; row += block) {
    const double* const values = source.at(row);
    std::copy(values, values + block, out + row);
  }
}

}  // namespace lua_driver
