// SPDX-License-Identifier: Apache-2.0
//
// Verdicts that depend on a code alone (a set of aggregates, a text): worked out for each code once, when a candidate
// first has it.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "filter.hpp"

namespace filter_driver {

class verdict_by_code {
 public:
  explicit verdict_by_code(std::size_t code_count) : known_(code_count, unknown) {}

  // Keeps rows for whose code, in `column`, passes(code) or passes(code, row) holds; it is asked once for each code that
  // a candidate has, with the first such row.
  template <class Column, class Passes>
  void keep(const block& candidates, const Column& column, Passes&& passes) {
    const auto is_kept = [&](std::uint32_t row) {
      const auto code = column.code(row);
      auto& verdict = known_[code];
      if (verdict == unknown) {
        if constexpr (std::is_invocable_v<Passes&, std::uint32_t, std::uint32_t>)
          verdict = passes(code, row) ? 1 : 0;
        else
          verdict = passes(code) ? 1 : 0;
      }
      return verdict == 1;
    };
    if (const auto* const codes = column.codes(candidates.first, candidates.count))
      candidates.keep_equals_if(is_kept, codes);
    else
      candidates.keep_if(is_kept);
  }

 private:
  static constexpr std::uint8_t unknown = 2;

  std::vector<std::uint8_t> known_;
};

// A run of a filter that reads nothing of a host but its aggregates. Derive, say passes(aggregates of a set).
class aggregate_run : public filter_run {
 public:
  using members = std::vector<const aggregate*>;

  explicit aggregate_run(const question& asked) : sets_(asked.hosts.aggregates), verdicts_(sets_.code_count()) {}

  void keep(const block& candidates) final {
    verdicts_.keep(candidates, sets_, [this](std::uint32_t code, std::uint32_t row) {
      row_ = row;
      return passes(sets_.of_code(code));
    });
  }

 protected:
  virtual bool passes(const members& aggregates) = 0;
  // The row that passes() is asked for: the first of its set, for errors to name.
  std::uint32_t row() const { return row_; }

 private:
  const aggregate_sets& sets_;
  verdict_by_code verdicts_;
  std::uint32_t row_ = 0;
};

// A value for each set of aggregates, as Nova's per-aggregate options: worked out at the first ask.
template <class Value>
class value_by_set {
 public:
  value_by_set(const host_table& hosts, std::function<Value(const std::vector<const aggregate*>&)> find)
      : sets_(hosts.aggregates), known_(sets_.code_count()), find_(std::move(find)) {}

  const Value& operator[](std::uint32_t row) {
    const auto code = sets_.code(row);
    auto& known = known_[code];
    if (!known) known = find_(sets_.of_code(code));
    return *known;
  }

 private:
  const aggregate_sets& sets_;
  std::vector<std::optional<Value>> known_;
  std::function<Value(const std::vector<const aggregate*>&)> find_;
};

}  // namespace filter_driver
