// SPDX-License-Identifier: Apache-2.0
#include "weighing.hpp"

#include <algorithm>

#include "python/numbers_of_aggregates.hpp"

namespace filter_driver {

weighing_step::weighing_step(const weigher_rule& rule, const weigher& made, const question& asked)
    : rule_(rule), asked_(asked), run_(made.begin(asked)), configured_(asked.options.*rule.multiplier) {
  if (rule.negated) configured_ = -configured_;
  if (asked.options.compatibility != release::zed || rule.aggregate_key.empty()) return;
  const auto& aggregates = asked.hosts.aggregates.all();
  const bool is_set = std::any_of(aggregates.begin(), aggregates.end(),
                                  [&](const aggregate& each) { return each.find(rule.aggregate_key).has_value(); });
  if (!is_set) return;
  by_set_ = std::make_unique<value_by_set<double>>(asked.hosts, [this](const auto& of_set) {
    const auto own = least_number(of_set, rule_.aggregate_key);
    if (!own) return configured_;
    return rule_.negated ? -*own : *own;
  });
}

double weighing_step::multiplier(std::uint32_t row) const {
  return by_set_ ? (*by_set_)[row] : configured_;
}

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
    if (step.has_one_multiplier()) {
      const double multiplier = step.multiplier(candidates.first);
      for (std::uint32_t i = 0; i < candidates.count; ++i) total[i] += multiplier * normalised(room_[i], range);
      continue;
    }
    for (std::uint32_t i = 0; i < candidates.count; ++i)
      total[i] += step.multiplier(candidates.first + i) * normalised(room_[i], range);
  }
}

}  // namespace filter_driver
