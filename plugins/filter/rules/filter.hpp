// SPDX-License-Identifier: Apache-2.0
//
// What a filter is. It is made once, asked once a request for a run (what does not depend on the host is worked out
// there, once for each distinct value of what does), and the run goes over the hosts a block at a time.
//
// Where Nova raises, a run throws gantry::failure with invalid_argument and a sentence that names host and value: the
// request fails as a whole, as it does in Nova.
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

// What is asked: lives for the whole run.
struct question {
  const host_table& hosts;
  const request_facts& request;
  const settings& options;
  const asking* with = nullptr;  // for filters and weighers of other libraries; nullptr: there are none
};

// Rows first to first + count - 1, of which those set in `rows` (bit 0 of word 0: `first`, a multiple of 64) are still
// candidates. `room` holds block_rows doubles for number_column::read; more than one column: room(0), room(1), ... The last
// is for what a weigher makes of them.
struct block {
  static constexpr std::size_t room_count = 5;

  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t* rows = nullptr;
  double* rooms = nullptr;

  double* room(std::size_t which) const { return rooms + which * block_rows; }
  double* numbers() const { return room(room_count - 1); }
  std::uint32_t words() const { return (count + 63) / 64; }

  // visit(i) for each candidate, which is row first + i.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t word = 0; word < words(); ++word) {
      for (std::uint64_t rest = rows[word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    }
  }

  // Keeps the candidates for which passes(row) holds; it is asked for candidates only.
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

  // The same where rows that are equal in all of `keys` (at index i that of row first + i) have one verdict: it is asked
  // for the first candidate of those in 64 rows.
  template <class Passes, class... Keys>
  void keep_equals_if(Passes&& passes, const Keys*... keys) const {
    for (std::uint32_t word = 0; word < words(); ++word) {
      const std::size_t begin = std::size_t{word} * 64;
      const std::size_t all = std::min<std::size_t>(count - begin, 64);
      for (std::uint64_t rest = rows[word]; rest != 0;) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        // With itself, which is unequal to itself where it is no number.
        const std::uint64_t equals = equals_in_word(all, bit, (keys + begin)...) | (std::uint64_t{1} << bit);
        if (!passes(first + static_cast<std::uint32_t>(begin) + bit)) rows[word] &= ~equals;
        rest &= ~equals;
      }
    }
  }

  // The same over arithmetic that may run for every row of the block, candidates or not: holds(a, b...) of a row's values
  // in the columns, as read() gives them. It becomes vectors where it is always_inline, has no branches, and joins
  // comparisons by & and |.
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

// What Nova's filters leave in HostState.limits. A field that is not set says nothing.
struct host_limits {
  std::optional<double> vcpu;
  std::optional<double> memory_mb;
  std::optional<double> disk_gb;
  boost::json::value numa_topology;  // null: not set
  boost::json::object other;         // what filters of other libraries set, returned as it is
};

class filter_run {
 public:
  filter_run() = default;
  virtual ~filter_run() = default;
  filter_run(const filter_run&) = delete;
  filter_run& operator=(const filter_run&) = delete;

  virtual void keep(const block& candidates) = 0;
  // Of a filter that sees whole columns: judge_all(rows), a bitmap of all hosts, comes before keep() is asked for them.
  virtual bool judges_all_at_once() const { return false; }
  virtual void judge_all(const std::vector<std::uint64_t>& /*rows*/) {}
  // Why those did not pass that it has taken out, where it says so itself; empty: it does not.
  virtual std::string reason() { return {}; }
  // What the filter sets for this row, whether it passes or not (Nova's Core filter sets before it compares).
  virtual void set_limits(std::uint32_t /*row*/, host_limits& /*limits*/) {}
  // For filters that compare a need with a supply: the need, and the supply of a row; both in `unit`.
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

  // nullptr: every host passes, whatever it is.
  virtual std::unique_ptr<filter_run> begin(const question& asked) const = 0;
  // Adds what the host is to judge of the request's group once more, when it claims a pick.
  virtual void bind(const question& /*asked*/, gantry::group_bound& /*bound*/) const {}
};

// A filter as the registry lists it.
struct filter_rule {
  std::string_view name;                             // Nova's
  bool once_per_request;                             // not asked again for the later instances of a request
  bool runs_on_rebuild;                              // otherwise a rebuild passes unasked (Zed)
  std::unique_ptr<filter> (*make)(const settings&);  // nullptr: of another library
  // What is wrong with a host that does not pass, for whoever asks why. Empty: a run says it itself, if at all.
  std::string_view complaint{};
  bool reads_beyond_row = false;  // a verdict may change where the host's row does not
};

template <class Filter>
std::unique_ptr<filter> make_filter(const settings& options) {
  if constexpr (std::is_constructible_v<Filter, const settings&>)
    return std::make_unique<Filter>(options);
  else
    return std::make_unique<Filter>();
}

}  // namespace filter_driver
