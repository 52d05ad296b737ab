// SPDX-License-Identifier: Apache-2.0
//
// A cache, kept from request to request, of one value for each row. The value depends only on a few properties of the
// row, such as a nested value or a ratio. A key is a number that stands for the content of such a property. The cache
// stores the row's keys with the value, and computes the value again when a key has changed. Needs no search, since
// rows are indices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "hosts/wide.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

// One key of each row of a block. Index i is row first + i of the block.
using row_keys = std::array<std::uint64_t, block_rows>;

// The key of a row whose value must not be cached. Never counts as equal to the stored key.
inline constexpr std::uint64_t never_kept = UINT64_MAX - 2;

// Writes the keys of the column's values in the block to `into`. nullptr stands for a column that is null in each row.
inline void read_keys(const document_column* column, const block& rows, row_keys& into) {
  if (column == nullptr) {
    std::fill_n(into.data(), rows.count, 1);
    return;
  }
  column->identities(rows.first, rows.count, into.data());
  run_wide([ keys = into.data(), count = rows.count ]() __attribute__((always_inline)) {
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = keys[i] == 0 ? never_kept : keys[i];
  });
}

// The default for the parameter Beside of values_by_row. Stores nothing.
struct nothing_beside {
  void set(std::size_t /*row*/, const auto& /*value*/) {}
};

// `Width` is the number of keys of a row. `Beside` stores the values of a block in a second form, for example as
// columns. Each computed value is given to Beside::set(row in the block, value). [any thread]
template <class Value, std::size_t Width = 1, class Beside = nothing_beside>
class values_by_row {
 public:
  // The present keys of a block's rows: one pointer for each of the row's keys. Index i of each is row first + i.
  using keys = std::array<const std::uint64_t*, Width>;

  // Writes into[i] for each candidate first + i: the cached value, or the result of make(row) if the keys have changed.
  // `make` may throw. The block must not cross a multiple of block_rows. into[i] of other rows may be overwritten.
  template <class Make>
  void read(const keys& now, const block& candidates, Value* into, Make&& make) {
    const auto found = hold(now, candidates, std::forward<Make>(make));
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      if (candidates.rows[word] == 0) continue;
      const std::size_t begin = std::size_t{word} * 64;
      std::copy_n(found.values + begin, std::min<std::size_t>(candidates.count - begin, 64), into + begin);
    }
  }

  // Access to the cached values of a block. values[i] is the value of row first + i, for each candidate. As long
  // as this object lives, other threads wait to read the same rows.
  struct held {
    std::unique_lock<std::mutex> lock;
    const Value* values = nullptr;
    const Beside* beside = nullptr;  // its row 0 is row first / block_rows * block_rows
  };
  // Like read(), without copies.
  template <class Make>
  held hold(const keys& now, const block& candidates, Make&& make) {
    auto& here = rows_from(candidates.first);
    const std::size_t offset = candidates.first % block_rows;
    held found{std::unique_lock(here.mutex), here.values.data() + offset, &here.beside};
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      if (candidates.rows[word] == 0) continue;
      const std::size_t begin = std::size_t{word} * 64;
      const std::size_t count = std::min<std::size_t>(candidates.count - begin, 64);
      std::uint64_t differing = 0;
      for (std::size_t key = 0; key < Width; ++key)
        differing |= differing_in_word(count, now[key] + begin, here.keys[key].data() + offset + begin);
      for (differing &= candidates.rows[word]; differing != 0; differing &= differing - 1) {
        const auto at = begin + static_cast<std::size_t>(__builtin_ctzll(differing));
        here.values[offset + at] = make(candidates.first + static_cast<std::uint32_t>(at));
        here.beside.set(offset + at, here.values[offset + at]);
        for (std::size_t key = 0; key < Width; ++key)
          here.keys[key][offset + at] = now[key][at] == never_kept ? empty : now[key][at];
      }
    }
    return found;
  }

 private:
  static constexpr std::uint64_t empty = UINT64_MAX - 1;  // stored where no value is cached. No row has this key

  // The cached values of block_rows rows, and their keys.
  struct kept {
    kept() {
      for (auto& each : keys) each.fill(empty);
    }
    std::mutex mutex;
    std::array<row_keys, Width> keys;
    std::array<Value, block_rows> values{};
    Beside beside{};
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
  std::vector<std::unique_ptr<kept>> blocks_;  // by row / block_rows. Only grows. A block is never moved
};

}  // namespace filter_driver
