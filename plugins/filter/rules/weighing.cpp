// SPDX-License-Identifier: Apache-2.0
#include "rules/weighing.hpp"

#include <algorithm>
#include <cmath>
#include <gantry/driver/failure.hpp>
#include <limits>
#include <string>

namespace filter_driver {

weighing_step::weighing_step(const weigher_rule& rule, const weigher& made, const question& asked)
    : rule_(rule),
      asked_(asked),
      run_(made.begin(asked)),
      multiplier_(asked, rule.multiplier == nullptr ? rule.own_multiplier : asked.options.*rule.multiplier,
                  rule.aggregate_key, rule.negated, rule.make == nullptr),
      minval_(rule.minval),
      maxval_(rule.maxval) {
  cut_to_bounds();
}

void weighing_step::cut_to_bounds() {
  if (!asked_.options.compatibility->weights_have_bounds || (!minval_ && !maxval_)) return;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  cut_ = bounds{minval_.value_or(-unbounded), maxval_.value_or(unbounded)};
}

void weighing_step::weigh_all(const std::vector<std::uint64_t>& rows) {
  run_->weigh_all(rows, minval_, maxval_);
  cut_to_bounds();
}

void weighing_step::raw(const block& candidates, double* into) {
  if (run_)
    run_->weigh(candidates, into);
  else
    std::fill_n(into, candidates.count, 0.0);
  if (!cut_) return;
  for (std::uint32_t i = 0; i < candidates.count; ++i)
    into[i] = std::min(std::max(into[i], cut_->least), cut_->greatest);
}

void weighing_step::observe(const block& candidates) {
  if (!run_) return;
  const double* const numbers = run_->read(candidates, candidates.numbers());
  if (observed_.add(candidates, numbers)) return;
  candidates.for_each([&](std::uint32_t i) {
    if (numbers[i] == numbers[i]) return;
    throw gantry::failure(gantry::code::invalid_argument, std::string(rule_.name) + ": host " +
                                                              asked_.hosts.name_of(candidates.first + i) +
                                                              " has no number to weigh it by");
  });
}

extremes weighing_step::range() const {
  return range({observed_.least(), observed_.greatest()});
}

extremes weighing_step::range(const extremes& seen) const {
  if (!cut_) {
    return {minval_ ? std::min(*minval_, seen.low) : seen.low, maxval_ ? std::max(*maxval_, seen.high) : seen.high};
  }
  return {minval_.value_or(std::min(seen.low, cut_->greatest)), maxval_.value_or(std::max(seen.high, cut_->least))};
}

bool weighing_step::adds_nothing(const extremes& limits) {
  return multiplier_.is_one() && (!run_ || limits.low == limits.high) && std::isfinite(multiplier_[0]);
}

void weighing_step::score(const block& candidates, double* total) {
  const auto limits = range();
  if (adds_nothing(limits)) return;
  if (run_ && multiplier_.is_one() && limits.low != limits.high) {
    const double* const numbers = run_->read(candidates, candidates.numbers());
    const bool is_cut = cut_ && (observed_.least() < cut_->least || observed_.greatest() > cut_->greatest);
    add_normalised(numbers, candidates.count, limits, is_cut ? &*cut_ : nullptr, multiplier_[0], total);
    return;
  }
  raw(candidates, candidates.numbers());
  add(candidates, candidates.numbers(), limits, total);
}

void weighing_step::add(const block& candidates, const double* numbers, const extremes& limits, double* total) {
  if (adds_nothing(limits)) return;
  if (numbers != nullptr && multiplier_.is_one() && limits.low != limits.high)
    return add_normalised(numbers, candidates.count, limits, nullptr, multiplier_[0], total);
  candidates.for_each([&](std::uint32_t i) {
    total[i] += multiplier_[candidates.first + i] * normalised(numbers == nullptr ? 0.0 : numbers[i], limits);
  });
}

weighing::weighing(const std::vector<entry>& enabled, const question& asked) : asked_(asked) {
  steps_.reserve(enabled.size());
  for (const auto& each : enabled) steps_.emplace_back(*each.rule, *each.made, asked);
}

bool weighing::weighs(std::uint64_t candidates) const {
  return candidates > (asked_.options.compatibility->a_single_host_is_not_weighed ? 1 : 0);
}

void weighing::observe(const block& candidates) {
  for (auto& step : steps_) {
    if (!step.weighs_all_at_once()) step.observe(candidates);
  }
}

void weighing::observe_whole(const std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms) {
  for (auto& step : steps_) {
    if (!step.weighs_all_at_once()) continue;
    step.weigh_all(rows);
    auto passed = rows;
    for (std::uint32_t first = 0; first < total; first += block_rows)
      step.observe({first, std::min(block_rows, total - first), passed.data() + first / 64, rooms});
  }
}

void weighing::score(const block& candidates, double* total) {
  std::fill_n(total, candidates.count, 0.0);
  for (auto& step : steps_) step.score(candidates, total);
}

}  // namespace filter_driver
