// SPDX-License-Identifier: Apache-2.0
//
// Verdicts that depend on a code alone (a set of aggregates, a text): worked out for each code once, when a candidate
// first has it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "filter.hpp"

namespace filter_driver {

class verdict_by_code {
 public:
  // `codes` (one a row) and `passes` outlive this.
  verdict_by_code(const std::vector<std::uint32_t>& codes, std::size_t code_count)
      : codes_(codes), known_(code_count, unknown) {}

  // passes(code) is asked once for each code that a candidate has.
  template <class Passes>
  void keep(const block& candidates, Passes&& passes) {
    candidates.keep_if([&](std::uint32_t row) {
      auto& verdict = known_[codes_[row]];
      if (verdict == unknown) verdict = passes(codes_[row]) ? 1 : 0;
      return verdict == 1;
    });
  }

 private:
  static constexpr std::uint8_t unknown = 2;

  const std::vector<std::uint32_t>& codes_;
  std::vector<std::uint8_t> known_;
};

// A run of a filter that reads nothing of a host but its aggregates. Derive, say passes(aggregates of a set).
class aggregate_run : public filter_run {
 public:
  using members = std::vector<const aggregate*>;

  explicit aggregate_run(const question& asked)
      : sets_(asked.hosts.aggregates), verdicts_(sets_.codes, sets_.sets.size()) {}

  void keep(const block& candidates) final {
    verdicts_.keep(candidates, [this](std::uint32_t code) {
      members of_set;
      of_set.reserve(sets_.sets[code].size());
      for (const auto index : sets_.sets[code]) of_set.push_back(&sets_.aggregates[index]);
      return passes(of_set);
    });
  }

 protected:
  virtual bool passes(const members& aggregates) = 0;

 private:
  const aggregate_sets& sets_;
  verdict_by_code verdicts_;
};

// A value for each set of aggregates, as Nova's per-aggregate options: worked out at the first ask.
template <class Value>
class value_by_set {
 public:
  value_by_set(const host_table& hosts, std::function<Value(const std::vector<const aggregate*>&)> find)
      : sets_(hosts.aggregates), known_(sets_.sets.size()), find_(std::move(find)) {}

  const Value& operator[](std::uint32_t row) {
    const auto code = sets_.codes[row];
    auto& known = known_[code];
    if (!known) {
      std::vector<const aggregate*> of_set;
      of_set.reserve(sets_.sets[code].size());
      for (const auto index : sets_.sets[code]) of_set.push_back(&sets_.aggregates[index]);
      known = find_(of_set);
    }
    return *known;
  }

 private:
  const aggregate_sets& sets_;
  std::vector<std::optional<Value>> known_;
  std::function<Value(const std::vector<const aggregate*>&)> find_;
};

}  // namespace filter_driver
