// SPDX-License-Identifier: Apache-2.0
//
// A set of rows, one bit a row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry::nova {

class RowSet {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

  // All sets that meet in an operation have the same number of rows.
  explicit RowSet(std::size_t rows = 0) : words_((rows + word_bits - 1) / word_bits) {}

  // Adds rows behind the last one. The set has none of them.
  void resize(std::size_t rows) { words_.resize((rows + word_bits - 1) / word_bits); }

  bool has(std::size_t row) const { return (words_[row / word_bits] >> (row % word_bits) & 1U) != 0; }
  void insert(std::size_t row) { words_[row / word_bits] |= Word{1} << (row % word_bits); }
  void erase(std::size_t row) { words_[row / word_bits] &= ~(Word{1} << (row % word_bits)); }

  RowSet& operator&=(const RowSet& other);
  RowSet& operator|=(const RowSet& other);
  RowSet& operator-=(const RowSet& other);

  bool is_empty() const;
  std::size_t size() const;
  std::vector<Word>& words() { return words_; }
  const std::vector<Word>& words() const { return words_; }

  // Calls `visit` for each row, in ascending order.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      for (auto word = words_[at]; word != 0; word &= word - 1)
        visit(at * word_bits + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }

 private:
  std::vector<Word> words_;
};

}  // namespace gantry::nova
