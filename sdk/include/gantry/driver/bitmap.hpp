// SPDX-License-Identifier: Apache-2.0
//
// Sets of rows as bitmaps: one bit for each row of a view, 64 rows to a word. The classes do not own the words, which
// are in memory of the host or in the call's scratch memory. A copy of an object refers to the same words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Returns the number of set bits. Written out because baseline x86-64 lacks a popcount instruction, and because
// compilers vectorise loops over this form.
constexpr std::uint32_t count_bits(std::uint64_t word) noexcept {
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>((word * 0x0101010101010101u) >> 56);
}

// A read-only set of rows.
class bits {
 public:
  constexpr bits(const std::uint64_t* words, std::uint32_t rows) noexcept : words_(words), rows_(rows) {}

  constexpr std::uint32_t rows() const noexcept { return rows_; }
  constexpr const std::uint64_t* data() const noexcept { return words_; }
  constexpr std::size_t word_count() const noexcept { return (std::size_t{rows_} + 63) / 64; }
  constexpr bool test(std::uint32_t row) const noexcept { return ((words_[row / 64] >> (row % 64)) & 1) != 0; }

  // Returns the bits of the rows index*64 to index*64+63 as one word. Bits beyond the last row are 0.
  constexpr std::uint64_t word(std::size_t index) const noexcept {
    const std::size_t used = rows_ - index * 64;
    return used >= 64 ? words_[index] : words_[index] & ((std::uint64_t{1} << used) - 1);
  }

  constexpr std::uint32_t count() const noexcept {
    std::uint32_t total = 0;
    const std::size_t whole = rows_ / 64;
    for (std::size_t index = 0; index < whole; ++index) total += count_bits(words_[index]);
    if (whole < word_count()) total += count_bits(word(whole));
    return total;
  }

  constexpr bool none() const noexcept {
    for (std::size_t index = 0; index < word_count(); ++index) {
      if (word(index) != 0) return false;
    }
    return true;
  }

  // Returns the row of the n-th set bit, counted from 0. Requires n < count().
  std::uint32_t nth(std::uint64_t n) const noexcept {
    std::size_t index = 0;
    for (std::uint32_t here = count_bits(word(0)); n >= here; here = count_bits(word(++index))) n -= here;
    std::uint64_t rest = word(index);
    for (; n > 0; --n) rest &= rest - 1;
    return static_cast<std::uint32_t>(index * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest));
  }

  // Calls visit(row) for each row in the set, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t index = 0; index < word_count(); ++index) {
      for (std::uint64_t rest = word(index); rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint32_t>(index * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
      }
    }
  }

 protected:
  const std::uint64_t* words_;
  std::uint32_t rows_;
};

// A set of rows that can be changed. Bits beyond the last row stay 0.
class bitmap : public bits {
 public:
  constexpr bitmap(std::uint64_t* words, std::uint32_t rows) noexcept : bits(words, rows), own_(words) {}

  std::uint64_t* words() const noexcept { return own_; }
  void set(std::uint32_t row) noexcept { own_[row / 64] |= std::uint64_t{1} << (row % 64); }
  void clear(std::uint32_t row) noexcept { own_[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }

  // Replaces the set by a copy of `other`.
  void assign(const bits& other) noexcept {
    for (std::size_t index = 0; index < word_count(); ++index) own_[index] = other.word(index);
  }
  // Removes the rows that `other` does not contain.
  void keep(const bits& other) noexcept {
    for (std::size_t index = 0; index < word_count(); ++index) own_[index] &= other.word(index);
  }
  // Removes the rows that `other` contains.
  void remove(const bits& other) noexcept {
    for (std::size_t index = 0; index < word_count(); ++index) own_[index] &= ~other.word(index);
  }

  // Removes the rows for which test(row) is false. Calls `test` only for rows in the set.
  template <class Test>
  void keep_if(Test&& test) {
    for (std::size_t index = 0; index < word_count(); ++index) {
      std::uint64_t kept = own_[index];
      for (std::uint64_t rest = kept; rest != 0; rest &= rest - 1) {
        const auto row = static_cast<std::uint32_t>(index * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest));
        if (!test(row)) kept &= ~(rest & (~rest + 1));
      }
      own_[index] = kept;
    }
  }

 private:
  std::uint64_t* own_;
};

}  // namespace gantry
