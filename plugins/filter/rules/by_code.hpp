// SPDX-License-Identifier: Apache-2.0
//
// Verdicts and values that depend only on a row's code in one column of the host table. A code stands for a text or for
// a set of aggregates. The result is computed once for each code, for the first candidate that has the code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hosts/wide.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

// The verdicts of one filter run by code. Use an object for one column only, since it remembers the verdicts from block
// to block. `code_count` is the column's code_count().
class verdict_by_code {
 public:
  explicit verdict_by_code(std::size_t code_count) : known_(code_count, unknown) {}

  // Keeps the candidates whose code in `column` passes. `passes` takes (code) or (code, row). It is called once for
  // each code, with the first candidate that has the code as `row`.
  template <class Column, class Passes>
  void keep(const block& candidates, const Column& column, Passes&& passes) {
    const auto is_kept = [&](std::uint32_t row) {
      const auto code = column.code(row);
      auto& verdict = known_[code];
      if (verdict == unknown) {
        if constexpr (std::is_invocable_v<Passes&, std::uint32_t, std::uint32_t>)
          verdict = passes(code, row) ? passed : 0;
        else
          verdict = passes(code) ? passed : 0;
      }
      return verdict == passed;
    };
    const auto* const codes = column.codes(candidates.first, candidates.count);
    if (codes == nullptr) return candidates.keep_if(is_kept);
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      auto& rows = candidates.rows[word];
      if (rows == 0) continue;
      const std::uint32_t begin = word * 64;
      const auto found = look_up_in_word(std::min(candidates.count - begin, 64U), codes + begin, known_.data());
      std::uint64_t asked = rows & found.second;
      rows &= found.first;
      for (; asked != 0; asked &= asked - 1) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(asked));
        if (is_kept(candidates.first + begin + bit)) rows |= std::uint64_t{1} << bit;
      }
    }
  }

 private:
  // look_up_in_word() reads these values as bits: `passed` is the lowest bit, `unknown` is the second.
  static constexpr std::uint32_t passed = 1;
  static constexpr std::uint32_t unknown = 2;

  std::vector<std::uint32_t> known_;  // by code: passed, unknown, or 0 if the code is rejected
};

// A run of a filter that reads only the aggregates of a host. A derived class judges a set of aggregates in passes().
// Hosts with the same set share its verdict.
class aggregate_run : public filter_run {
 public:
  using members = std::vector<const aggregate*>;

  explicit aggregate_run(const question& asked) : sets_(asked.hosts.aggregates), verdicts_(sets_.code_count()) {}

  std::optional<mismatch> mismatch_of(std::uint32_t row) final { return lack_of(sets_.of_code(sets_.code(row))); }

  void keep(const block& candidates) final {
    verdicts_.keep(candidates, sets_, [this](std::uint32_t code, std::uint32_t row) {
      row_ = row;
      return passes(sets_.of_code(code));
    });
  }

 protected:
  virtual bool passes(const members& aggregates) = 0;
  // Returns what a set lacks that passes() has rejected.
  virtual mismatch lack_of(const members& aggregates) = 0;
  // Returns the values of the key in the aggregates: "filter_tenant_id 'a' and 'b'". "no KEY" if there are none.
  static std::string values_of(const members& aggregates, std::string_view key);
  // Returns the row that passes() is called for, the first candidate with that set. Errors name this row.
  std::uint32_t row() const { return row_; }

 private:
  const aggregate_sets& sets_;
  verdict_by_code verdicts_;
  std::uint32_t row_ = 0;
};

// A value for each set of aggregates, such as an option that aggregates set in their metadata. `find` computes the
// value of a set, when the first host with the set is read.
template <class Value>
class value_by_set {
 public:
  value_by_set(const host_table& hosts, std::function<Value(const std::vector<const aggregate*>&)> find)
      : sets_(hosts.aggregates), known_(sets_.code_count(), unknown), values_(known_.size()), find_(std::move(find)) {}

  const Value& operator[](std::uint32_t row) { return of_code(sets_.code(row)); }
  // Writes into[i] for each candidate first + i. into[i] of other rows is undefined.
  void read(const block& candidates, Value* into) {
    const auto* const codes = sets_.codes(candidates.first, candidates.count);
    if (codes == nullptr) return candidates.for_each([&](std::uint32_t i) { into[i] = (*this)[candidates.first + i]; });
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      const std::uint32_t begin = word * 64;
      const std::size_t count = std::min(candidates.count - begin, 64U);
      std::uint64_t asked = candidates.rows[word];
      if (asked == 0) continue;
      for (asked &= look_up_in_word(count, codes + begin, known_.data()).second; asked != 0; asked &= asked - 1)
        of_code(codes[begin + static_cast<std::uint32_t>(__builtin_ctzll(asked))]);
      run_wide([ of_set = values_.data(), here = codes + begin, to = into + begin, count ]()
                   __attribute__((always_inline)) {
                     for (std::size_t i = 0; i < count; ++i) to[i] = of_set[here[i]];
                   });
    }
  }

 private:
  static constexpr std::uint32_t unknown = 2;  // the second bit, which look_up_in_word() reads

  const Value& of_code(std::uint32_t code) {
    if (known_[code] == unknown) {
      values_[code] = find_(sets_.of_code(code));
      known_[code] = 0;
    }
    return values_[code];
  }

  const aggregate_sets& sets_;
  std::vector<std::uint32_t> known_;
  std::vector<Value> values_;
  std::function<Value(const std::vector<const aggregate*>&)> find_;
};

}  // namespace filter_driver
