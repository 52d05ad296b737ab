// SPDX-License-Identifier: Apache-2.0
//
// What a rule makes of a nested value alone, kept from request to request for each row, beside the identity that the
// row's value had: a scan finds it without a search. Made anew where the identity is another one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "filter.hpp"

namespace filter_driver {

// [any thread]
template <class Value>
class values_by_row {
 public:
  // into[i], for each candidate first + i: as kept, or as make(row) says, which may throw. into[i] of other rows may be
  // written to as well.
  template <class Make>
  void read(const document_column& column, const block& candidates, Value* into, Make&& make) {
    std::array<std::uint64_t, block_rows> identities;
    column.identities(candidates.first, candidates.count, identities.data());
    auto& here = rows_from(candidates.first);
    const std::lock_guard lock(here.mutex);
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      if (candidates.rows[word] == 0) continue;
      const std::size_t begin = std::size_t{word} * 64;
      const std::size_t count = std::min<std::size_t>(candidates.count - begin, 64);
      std::uint64_t differing = 0;
      run_wide([&]() __attribute__((always_inline)) {
        differing = bits_of_word(
            count, [](auto now, auto then) __attribute__((always_inline)) { return now != then; },
            identities.data() + begin, here.identities.data() + begin);
      });
      std::copy_n(here.values.data() + begin, count, into + begin);
      for (differing &= candidates.rows[word]; differing != 0; differing &= differing - 1) {
        const auto at = begin + static_cast<std::size_t>(__builtin_ctzll(differing));
        into[at] = make(candidates.first + static_cast<std::uint32_t>(at));
        here.values[at] = into[at];
        here.identities[at] = identities[at];  // 0 is never kept: it differs from itself below
        if (identities[at] == 0) here.identities[at] = never;
      }
    }
  }

 private:
  // No identity is this one: UINT64_MAX is that of no document.
  static constexpr std::uint64_t never = UINT64_MAX - 1;

  struct kept {
    kept() { identities.fill(never); }
    std::mutex mutex;
    std::array<std::uint64_t, block_rows> identities;
    std::array<Value, block_rows> values{};
  };

  kept& rows_from(std::uint32_t first) {
    const auto index = first / block_rows;
    {
      const std::shared_lock lock(mutex_);
      if (index < blocks_.size() && blocks_[index]) return *blocks_[index];
    }
    const std::unique_lock lock(mutex_);
    if (blocks_.size() <= index) blocks_.resize(index + 1);
    if (!blocks_[index]) blocks_[index] = std::make_unique<kept>();
    return *blocks_[index];
  }

  std::shared_mutex mutex_;
  std::vector<std::unique_ptr<kept>> blocks_;  // grow, and stay where they are
};

}  // namespace filter_driver
