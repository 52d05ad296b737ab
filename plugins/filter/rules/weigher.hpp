// SPDX-License-Identifier: Apache-2.0
//
// A weigher gives each host that passed the filters a raw number. The driver clamps, normalises, multiplies and sums
// the numbers by the rules of the Nova release that settings::compatibility names (weighing.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/filter.hpp"

namespace filter_driver {

// A weigher at work on the hosts for one instance.
class weigher_run {
 public:
  weigher_run() = default;
  virtual ~weigher_run() = default;
  weigher_run(const weigher_run&) = delete;
  weigher_run& operator=(const weigher_run&) = delete;

  // Writes the raw number of row first + i to raw[i], for each candidate. Numbers of other rows may be written or not.
  virtual void weigh(const block& candidates, double* raw) = 0;
  // Returns the same numbers. They are in `room` (block_rows doubles), or in the weigher's own memory if it has them
  // already.
  virtual const double* read(const block& candidates, double* room) {
    weigh(candidates, room);
    return room;
  }
  // Returns true if the weigher scores all hosts in one call, as weighers of other libraries do. The driver then calls
  // weigh_all() before weigh(). `rows` is a bitmap of the hosts that passed. `minval` and `maxval` come with the values
  // of the rule, and weigh_all() may replace them.
  virtual bool weighs_all_at_once() const { return false; }
  virtual void weigh_all(const std::vector<std::uint64_t>& /*rows*/, std::optional<double>& /*minval*/,
                         std::optional<double>& /*maxval*/) {}
};

// A weigher that the configuration enables. All requests share it.
class weigher {
 public:
  weigher() = default;
  virtual ~weigher() = default;
  weigher(const weigher&) = delete;
  weigher& operator=(const weigher&) = delete;

  // Begins a run. Returns nullptr if the raw number of every host is 0.
  virtual std::unique_ptr<weigher_run> begin(const question& asked) const = 0;
};

// How to make a weigher and how to use its raw numbers. policy/registry.hpp lists the rules of the built-in weighers.
struct weigher_rule {
  std::string_view name;  // Nova's class name, or the name that another library offers
  // The least and the greatest raw number that the weigher declares. weighing.hpp says what follows from them.
  std::optional<double> minval;
  std::optional<double> maxval;
  double settings::*multiplier;                       // the option with the multiplier. nullptr: own_multiplier applies
  std::string_view aggregate_key;                     // metadata key of an aggregate's own multiplier. Empty: none
  bool negated;                                       // true: the multiplier is negated (BuildFailureWeigher)
  std::unique_ptr<weigher> (*make)(const settings&);  // nullptr for a weigher of another library
  double own_multiplier = 1.0;
};

template <class Weigher>
std::unique_ptr<weigher> make_weigher(const settings& options) {
  if constexpr (std::is_constructible_v<Weigher, const settings&>)
    return std::make_unique<Weigher>(options);
  else
    return std::make_unique<Weigher>();
}

}  // namespace filter_driver
