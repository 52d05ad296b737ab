// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/row_set.hpp"

#include <algorithm>

namespace gantry::nova {

RowSet& RowSet::operator&=(const RowSet& other) {
  for (std::size_t at = 0; at < words_.size(); ++at) words_[at] &= other.words_[at];
  return *this;
}

RowSet& RowSet::operator|=(const RowSet& other) {
  for (std::size_t at = 0; at < words_.size(); ++at) words_[at] |= other.words_[at];
  return *this;
}

RowSet& RowSet::operator-=(const RowSet& other) {
  for (std::size_t at = 0; at < words_.size(); ++at) words_[at] &= ~other.words_[at];
  return *this;
}

bool RowSet::is_empty() const {
  return std::ranges::all_of(words_, [](Word word) { return word == 0; });
}

std::size_t RowSet::size() const {
  std::size_t count = 0;
  for (const auto word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

}  // namespace gantry::nova
