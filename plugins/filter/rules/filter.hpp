// SPDX-License-Identifier: Apache-2.0
//
// A filter, and a run of it for one request. The driver makes each filter once. A request begins a run, which computes
// whatever does not depend on the host. The driver then hands the hosts to the run block by block.
//
// A run throws gantry::failure in the cases in which Nova raises an exception: invalid_argument and a sentence that
// names host and value. The request then fails as a whole, as in Nova.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gantry/driver/call.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/host_table.hpp"
#include "hosts/wide.hpp"
#include "nova/options.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

struct asking;  // asking.hpp

// The input of a filter or a weigher. Lives as long as the run.
struct question {
  const host_table& hosts;
  const request_facts& request;
  const settings& options;
  const asking* with = nullptr;  // for filters and weighers of other libraries. nullptr if there are none
};

// Rows first to first + count - 1. The bitmap `rows` marks the candidates among them: bit 0 of word 0 is `first`, a
// multiple of 64. room(n) is scratch memory for number_column::read, block_rows doubles for each column that is read.
// The last one takes the numbers of a weigher.
struct block {
  static constexpr std::size_t room_count = 5;

  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t* rows = nullptr;
  double* rooms = nullptr;

  double* room(std::size_t which) const { return rooms + which * block_rows; }
  double* numbers() const { return room(room_count - 1); }
  std::uint32_t words() const { return (count + 63) / 64; }

  // Calls visit(i) for each candidate. The candidate is row first + i.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t word = 0; word < words(); ++word) {
      for (std::uint64_t rest = rows[word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    }
  }

  // Keeps the candidates for which passes(row) is true. Calls passes for candidates only.
  template <class Passes>
  void keep_if(Passes&& passes) const {
    for (std::uint32_t word = 0; word < words(); ++word) {
      std::uint64_t kept = rows[word];
      for (std::uint64_t rest = kept; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        if (!passes(first + word * 64 + bit)) kept &= ~(std::uint64_t{1} << bit);
      }
      rows[word] = kept;
    }
  }

  // The same, where rows with equal keys have one verdict: among 64 rows, passes is called for the first candidate of
  // each combination of keys. Index i of a key column is row first + i.
  template <class Passes, class... Keys>
  void keep_equals_if(Passes&& passes, const Keys*... keys) const {
    for (std::uint32_t word = 0; word < words(); ++word) {
      const std::size_t begin = std::size_t{word} * 64;
      const std::size_t all = std::min<std::size_t>(count - begin, 64);
      for (std::uint64_t rest = rows[word]; rest != 0;) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        // The row itself is added, since a NaN is unequal to itself.
        const std::uint64_t equals = equals_in_word(all, bit, (keys + begin)...) | (std::uint64_t{1} << bit);
        if (!passes(first + static_cast<std::uint32_t>(begin) + bit)) rows[word] &= ~equals;
        rest &= ~equals;
      }
    }
  }

  // The same, by holds(a, b...) of a row's values in the columns, as read() gives them. Calls holds for other rows than
  // candidates too. The compiler vectorises holds if it is always_inline, has no branches, and joins comparisons by &
  // and |.
  template <class Holds, class... Columns>
  void keep_where(const Holds& holds, const Columns*... columns) const {
    run_wide([ words = rows, all = count, &holds, columns... ]() __attribute__((always_inline)) {
      for (std::size_t begin = 0; begin < all; begin += 64) {
        if (words[begin / 64] != 0)
          words[begin / 64] &= bits_of_word(std::min<std::size_t>(all - begin, 64), holds, (columns + begin)...);
      }
    });
  }
};

// The limits that Nova's filters leave in HostState.limits. An unset field sets no limit.
struct host_limits {
  std::optional<double> vcpu;
  std::optional<double> memory_mb;
  std::optional<double> disk_gb;
  boost::json::value numa_topology;  // null if not set
  boost::json::object other;         // limits by filters of other libraries, returned unchanged
};

class filter_run {
 public:
  filter_run() = default;
  virtual ~filter_run() = default;
  filter_run(const filter_run&) = delete;
  filter_run& operator=(const filter_run&) = delete;

  virtual void keep(const block& candidates) = 0;
  // True of a filter that reads whole columns. The driver then calls judge_all(rows), with a bitmap of all hosts,
  // before keep().
  virtual bool judges_all_at_once() const { return false; }
  virtual void judge_all(const std::vector<std::uint64_t>& /*rows*/) {}
  // Returns the reason for the hosts that this filter rejected. Empty if the filter gives none.
  virtual std::string reason() { return {}; }
  // Sets the filter's limits of this row, whether the row passes or not. Nova's CoreFilter sets them before it
  // compares.
  virtual void set_limits(std::uint32_t /*row*/, host_limits& /*limits*/) {}
  // The amount that the request needs, and the most that one host offers, both in `unit`. Filters that compare such
  // amounts name them in their reason.
  struct supply {
    std::string_view unit;
    double need = 0;
    double best = 0;
  };
  virtual std::optional<supply> supply_of(std::uint32_t /*row*/) { return std::nullopt; }
};

class filter {
 public:
  filter() = default;
  virtual ~filter() = default;
  filter(const filter&) = delete;
  filter& operator=(const filter&) = delete;

  // Begins a run. nullptr if every host passes.
  virtual std::unique_ptr<filter_run> begin(const question& asked) const = 0;
  // Adds the rule of the server group that the core checks again when it claims a pick.
  virtual void bind(const question& /*asked*/, gantry::group_bound& /*bound*/) const {}
};

// A filter as the registry lists it.
struct filter_rule {
  std::string_view name;                             // Nova's
  bool once_per_request;                             // runs for the first instance of a request only
  bool runs_on_rebuild;                              // false: a rebuild skips the filter (Zed)
  std::unique_ptr<filter> (*make)(const settings&);  // nullptr for a filter of another library
  // The reason to show for a rejected host. Empty if the run gives reasons itself, or if nothing is ever rejected.
  std::string_view complaint{};
  bool reads_beyond_row = false;  // a verdict may change without a change of the host's row
};

template <class Filter>
std::unique_ptr<filter> make_filter(const settings& options) {
  if constexpr (std::is_constructible_v<Filter, const settings&>)
    return std::make_unique<Filter>(options);
  else
    return std::make_unique<Filter>();
}

}  // namespace filter_driver
