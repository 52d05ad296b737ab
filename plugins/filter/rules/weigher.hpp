// SPDX-License-Identifier: Apache-2.0
//
// A weigher: raw numbers for the hosts that passed. The driver clamps, normalises, multiplies and sums the numbers by
// the rules of the release that settings::compatibility names.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/filter.hpp"

namespace filter_driver {

class weigher_run {
 public:
  weigher_run() = default;
  virtual ~weigher_run() = default;
  weigher_run(const weigher_run&) = delete;
  weigher_run& operator=(const weigher_run&) = delete;

  // Writes raw[i] for row first + i of the block. Rows that are no candidates may be skipped.
  virtual void weigh(const block& candidates, double* raw) = 0;
  // Returns the same numbers: written to `room` (block_rows doubles), or in place if they exist already.
  virtual const double* read(const block& candidates, double* room) {
    weigh(candidates, room);
    return room;
  }
  // True of a weigher that reads whole columns. The driver then calls weigh_all(rows), with a bitmap of the hosts that
  // passed, before weigh(). weigh_all may set the ends of the scale, which come with the rule's values.
  virtual bool weighs_all_at_once() const { return false; }
  virtual void weigh_all(const std::vector<std::uint64_t>& /*rows*/, std::optional<double>& /*minval*/,
                         std::optional<double>& /*maxval*/) {}
};

class weigher {
 public:
  weigher() = default;
  virtual ~weigher() = default;
  weigher(const weigher&) = delete;
  weigher& operator=(const weigher&) = delete;

  // Begins a run. nullptr if every host weighs 0.
  virtual std::unique_ptr<weigher_run> begin(const question& asked) const = 0;
};

struct weigher_rule {
  std::string_view name;  // Nova's class
  std::optional<double> minval;
  std::optional<double> maxval;
  double settings::*multiplier;                       // the option. nullptr: own_multiplier applies
  std::string_view aggregate_key;                     // metadata key of an aggregate's own multiplier. Empty: none
  bool negated;                                       // the multiplier counts with the other sign (BuildFailureWeigher)
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
