// SPDX-License-Identifier: Apache-2.0
#include "weighing.hpp"

#include <algorithm>

namespace filter_driver {

weighing_step::weighing_step(const weigher_rule& rule, const weigher& made, const question& asked)
    : rule_(rule),
      asked_(asked),
      run_(made.begin(asked)),
      multiplier_(asked, asked.options.*rule.multiplier, rule.aggregate_key, rule.negated) {}

void weighing_step::raw(const block& candidates, double* into) {
  run_->weigh(candidates, into);
  if (asked_.options.compatibility != release::zed) return;
  if (rule_.minval) {
    for (std::uint32_t i = 0; i < candidates.count; ++i) into[i] = std::max(into[i], *rule_.minval);
  }
  if (rule_.maxval) {
    for (std::uint32_t i = 0; i < candidates.count; ++i) into[i] = std::min(into[i], *rule_.maxval);
  }
}

void weighing_step::observe(const block& candidates, double* room) {
  raw(candidates, room);
  for (std::uint32_t word = 0; word < candidates.words(); ++word) {
    for (std::uint64_t rest = candidates.rows[word]; rest != 0; rest &= rest - 1) {
      const double value = room[word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest))];
      least_ = any_ ? std::min(least_, value) : value;
      greatest_ = any_ ? std::max(greatest_, value) : value;
      any_ = true;
    }
  }
}

extremes weighing_step::range() const {
  if (asked_.options.compatibility == release::zed)
    return {rule_.minval.value_or(least_), rule_.maxval.value_or(greatest_)};
  return {rule_.minval ? std::min(*rule_.minval, least_) : least_,
          rule_.maxval ? std::max(*rule_.maxval, greatest_) : greatest_};
}

weighing::weighing(const std::vector<entry>& enabled, const question& asked) : asked_(asked), room_(block_rows) {
  steps_.reserve(enabled.size());
  for (const auto& each : enabled) steps_.emplace_back(*each.rule, *each.made, asked);
}

bool weighing::weighs(std::uint64_t candidates) const {
  return candidates > (asked_.options.compatibility == release::icehouse ? 0 : 1);
}

void weighing::observe(const block& candidates) {
  for (auto& step : steps_) step.observe(candidates, room_.data());
}

void weighing::score(const block& candidates, double* total) {
  for (auto& step : steps_) {
    step.raw(candidates, room_.data());
    const auto range = step.range();
    if (step.multiplier().is_one()) {
      const double multiplier = step.multiplier()[candidates.first];
      for (std::uint32_t i = 0; i < candidates.count; ++i) total[i] += multiplier * normalised(room_[i], range);
      continue;
    }
    for (std::uint32_t i = 0; i < candidates.count; ++i)
      total[i] += step.multiplier()[candidates.first + i] * normalised(room_[i], range);
  }
}

}  // namespace filter_driver
