// SPDX-License-Identifier: Apache-2.0
#include "filtering.hpp"

#include <gantry/driver/bitmap.hpp>

#include "refusal.hpp"

namespace filter_driver {

namespace {

std::uint64_t count(const block& candidates) {
  std::uint64_t total = 0;
  for (std::uint32_t word = 0; word < candidates.words(); ++word) total += gantry::count_bits(candidates.rows[word]);
  return total;
}

}  // namespace

filtering::filtering(const std::vector<enabled_filter>& enabled, const question& asked, bool first) {
  const bool is_rebuild = asked.options.compatibility == release::zed && asked.request.is_rebuild();
  const bool asks_hints = asked.options.compatibility == release::zed && asked.request.hints_are_none;
  steps_.reserve(enabled.size());
  for (const auto& each : enabled) {
    if (!first && each.rule->once_per_request) continue;
    auto& added = steps_.emplace_back();
    added.rule = each.rule;
    if (asks_hints && !each.rule->runs_on_rebuild) {
      added.run = refuses_any(each.rule->name, asked.hosts,
                              {"AttributeError", "scheduler_hints is null, and is asked whether this is a rebuild"});
    } else if (!is_rebuild || each.rule->runs_on_rebuild) {
      added.run = each.made->begin(asked);
    }
  }
}

void filtering::keep(const block& candidates) {
  std::uint64_t left = count(candidates);
  for (auto& each : steps_) {
    if (left == 0) return;
    each.hosts_in += left;
    if (each.run) {
      each.run->keep(candidates);
      left = count(candidates);
    }
    each.hosts_out += left;
  }
}

void filtering::set_limits(std::uint32_t row, host_limits& limits) const {
  for (const auto& each : steps_) {
    if (each.run) each.run->set_limits(row, limits);
  }
}

}  // namespace filter_driver
