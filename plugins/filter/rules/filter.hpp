// SPDX-License-Identifier: Apache-2.0
//
// A filter, and a run of the filter for one instance of a request. The driver makes each filter once. For each instance
// it begins a run, which first computes everything that does not depend on the host. The driver then hands the hosts to
// the run block by block.
//
// Where Nova raises an exception, a run throws gantry::failure with invalid_argument and a sentence that names the host
// and the value. The request then fails as a whole, as in Nova.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gantry/driver/call.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/host_documents.hpp"
#include "hosts/host_table.hpp"
#include "hosts/left_candidates.hpp"
#include "hosts/wide.hpp"
#include "nova/options.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

struct asking;  // asking.hpp

// The input of a run of a filter or a weigher. Must outlive the run.
struct question {
  const host_table& hosts;
  const request_facts& request;
  const settings& options;
  const asking* with = nullptr;  // for rules of other libraries. May be nullptr if none is enabled
  // For the rules that judge allocation candidates. nullptr: no placement service was asked, or the release does not.
  left_candidates* candidates = nullptr;
};

// The rows first to first + count - 1 of the host table, at most block_rows rows. The bitmap `rows` marks the
// candidates among these rows. Bit 0 of its word 0 stands for row `first`, a multiple of 64. `rooms` is scratch memory
// of room_count parts with block_rows doubles each. room(n) is the part for the n-th column that a run reads
// (number_column::read). The last part, numbers(), is for the raw numbers of a weigher.
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

  // Keeps the candidates for which passes(row) is true, and clears the bits of the others. Calls passes for candidates
  // only.
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

  // Like keep_if(), for verdicts that depend only on the row's keys. Each of `keys` is a column of keys, and its
  // element i belongs to row first + i. Among the 64 rows of a word, passes is called once for each combination of
  // keys, with the first candidate that has the combination.
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

  // Like keep_if(), with holds(a, b...) of the row's values in the columns. Element i of a column belongs to row first
  // + i, as in the result of number_column::read. Calls holds for rows that are no candidates too. The compiler
  // vectorises `holds` if it is always_inline, has no branches, and joins comparisons by & and |.
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

// The limits of one host that filters set, as in Nova's HostState.limits. Each number is a total that the use of the
// host may reach. A field that is not set means no limit.
struct host_limits {
  std::optional<double> vcpu;
  std::optional<double> memory_mb;
  std::optional<double> disk_gb;
  boost::json::value numa_topology;  // Nova's NUMATopologyLimits. Null if not set
  // Further limits, by name, that filters of other libraries set. The driver gives them to the core with the pick, and
  // the core returns them unchanged to the caller that asked for a host (gantry_limits.other).
  boost::json::object other;
};

// How the verdict on a row may change while instances like the requested one are claimed there, one after the other.
enum class claims_effect : std::uint8_t {
  none,
  falls,         // a row that passes may fail, by the numbers of its use. A row that fails keeps failing
  by_numbers,    // in either direction, by the numbers of its use
  by_documents,  // by its NUMA topology and its PCI pools
  unforeseen,    // in other ways, or because of claims on other rows
};

// A filter at work on the hosts for one instance.
class filter_run {
 public:
  filter_run() = default;
  virtual ~filter_run() = default;
  filter_run(const filter_run&) = delete;
  filter_run& operator=(const filter_run&) = delete;

  // Clears the bits of the candidates that the filter rejects.
  virtual void keep(const block& candidates) = 0;
  // Returns true if the filter judges all candidates in one call, as filters of other libraries do. The driver then
  // calls judge_all() before keep(). `rows` is a bitmap of all hosts that the filters before this one passed.
  virtual bool judges_all_at_once() const { return false; }
  virtual void judge_all(const std::vector<std::uint64_t>& /*rows*/) {}
  // Returns why this filter rejected hosts, one text for all of them. Empty if the run gives no such text.
  virtual std::string reason() { return {}; }
  // Returns why this filter rejected the row. Empty if the run gives no such text.
  virtual std::string reason_of(std::uint32_t /*row*/) { return reason(); }
  // Returns what claims of further instances of the request change in the verdicts.
  virtual claims_effect effect_of_claims() const { return claims_effect::none; }
  // For claims_effect::by_documents: judges the row as if it had these documents, and sets the limits that the filter
  // then has for the row's NUMA cells.
  virtual bool passes_with(std::uint32_t /*row*/, const host_documents& /*documents*/,
                           std::optional<numa_limits>& /*limits*/) {
    return true;
  }
  // Sets the limits that the filter has for this row. Some filters set limits on a row that they reject too: Nova's
  // CoreFilter, for example, sets its limit before it compares.
  virtual void set_limits(std::uint32_t /*row*/, host_limits& /*limits*/) {}
  // `need` is the amount that the request needs, and `best` the amount that a host can offer, both in `unit`. Reasons
  // for a rejection show these amounts.
  struct supply {
    std::string_view unit;
    double need = 0;
    double best = 0;
  };
  // Returns the amounts for this row. nullopt if the filter does not compare amounts.
  virtual std::optional<supply> supply_of(std::uint32_t /*row*/) { return std::nullopt; }
  // `wanted` is what the request wants of a host, and `there` what the host has of that, each with its key and value:
  // "zone 'a'" and "'b'". Reasons for a rejection show them: "zone 'a' wanted, 'b' there".
  struct mismatch {
    std::string wanted;
    std::string there;
  };
  // Returns what a row lacks that this filter has rejected. nullopt if the filter compares amounts, or nothing of a host.
  virtual std::optional<mismatch> mismatch_of(std::uint32_t /*row*/) { return std::nullopt; }
};

// A filter that the configuration enables. All requests share it.
class filter {
 public:
  filter() = default;
  virtual ~filter() = default;
  filter(const filter&) = delete;
  filter& operator=(const filter&) = delete;

  // Begins a run. Returns nullptr if every host passes.
  virtual std::unique_ptr<filter_run> begin(const question& asked) const = 0;
  // Sets the rule of the request's server group in `bound`, if this filter enforces one. The core checks the rule again
  // when it claims a pick.
  virtual void bind(const question& /*asked*/, gantry::group_bound& /*bound*/) const {}
};

// How to make a filter, when it runs, and what it reads. policy/registry.hpp lists the rules of the built-in filters.
struct filter_rule {
  std::string_view name;  // Nova's class name, or the name that another library offers
  bool once_per_request;  // runs for the first instance of a request only
  // False: the filter passes every host if the request is for a rebuild. Built-in filters do so from Ocata on, filters
  // of other libraries in each release.
  bool runs_on_rebuild;
  std::unique_ptr<filter> (*make)(const settings&);  // nullptr for a filter of another library
  // The reason to show for a rejected host if the run itself gives none. Empty if the run always gives a reason, or
  // never rejects a host.
  std::string_view complaint{};
  bool reads_beyond_row = false;          // true: a verdict may change although the host's row has not changed
  bool runs_on_rebuild_in_ocata = false;  // true: runs_on_rebuild, but in Ocata only
};

template <class Filter>
std::unique_ptr<filter> make_filter(const settings& options) {
  if constexpr (std::is_constructible_v<Filter, const settings&>)
    return std::make_unique<Filter>(options);
  else
    return std::make_unique<Filter>();
}

}  // namespace filter_driver
