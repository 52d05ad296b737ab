// SPDX-License-Identifier: Apache-2.0
//
// What a weigher is: raw numbers for the hosts that passed. The driver clamps, normalises, multiplies and sums them as
// the release does that settings::compatibility names.
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

  // raw[i] for row first + i of the block: at least for each candidate, the rest may be left as it is.
  virtual void weigh(const block& candidates, double* raw) = 0;
  // The same, in `room` (block_rows doubles) or where the numbers are already.
  virtual const double* read(const block& candidates, double* room) {
    weigh(candidates, room);
    return room;
  }
  // Of a weigher that sees whole columns: weigh_all(rows), a bitmap of the hosts that passed, comes before weigh() is
  // asked for them. It may set the ends of the scale, which are those of the rule before.
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

  // nullptr: every host weighs 0, whatever it is.
  virtual std::unique_ptr<weigher_run> begin(const question& asked) const = 0;
};

struct weigher_rule {
  std::string_view name;  // Nova's class
  std::optional<double> minval;
  std::optional<double> maxval;
  double settings::*multiplier;                       // the option; nullptr: own_multiplier counts
  std::string_view aggregate_key;                     // of an aggregate's own multiplier; empty: none
  bool negated;                                       // the multiplier counts with the other sign (BuildFailureWeigher)
  std::unique_ptr<weigher> (*make)(const settings&);  // nullptr: of another library
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
