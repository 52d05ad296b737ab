// SPDX-License-Identifier: Apache-2.0
#include "rules/filtering.hpp"

#include <algorithm>
#include <gantry/driver/bitmap.hpp>

#include "rules/refusal.hpp"

namespace filter_driver {

namespace {

std::uint64_t count_candidates(const block& candidates) {
  std::uint64_t total = 0;
  for (std::uint32_t word = 0; word < candidates.words(); ++word) total += gantry::count_bits(candidates.rows[word]);
  return total;
}

// Returns true if a rebuild asks the filter too. Before Ocata a rebuild asks no scheduler.
bool runs_on_rebuild(const filter_rule& rule, release compatibility) {
  return compatibility->a_rebuild_asks_every_filter || rule.runs_on_rebuild ||
         (compatibility->a_rebuild_asks_more_filters && rule.runs_on_rebuild_in_ocata);
}

}  // namespace

filtering::filtering(const std::vector<enabled_filter>& enabled, const question& asked, bool first) {
  const bool is_rebuild = asked.request.is_rebuild();
  steps_.reserve(enabled.size());
  for (const auto& each : enabled) {
    if (!first && each.rule->once_per_request) continue;
    auto& added = steps_.emplace_back();
    added.rule = each.rule;
    const bool is_offered = each.rule->make == nullptr;
    const bool runs =
        is_offered ? each.rule->runs_on_rebuild : runs_on_rebuild(*each.rule, asked.options.compatibility);
    if (!runs && !is_offered && asked.request.hints_are_none) {
      added.run = refuses_any(each.rule->name, asked.hosts,
                              {"AttributeError", "scheduler_hints is null, and is asked whether this is a rebuild"});
    } else if (!is_rebuild || runs) {
      added.run = each.made->begin(asked);
    }
  }
}

void filtering::keep_whole(std::vector<std::uint64_t>& rows, std::uint32_t total, double* rooms) {
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    if (!steps_[at].run || !steps_[at].run->judges_all_at_once()) continue;
    for (std::uint32_t first = 0; first < total; first += block_rows)
      keep({first, std::min(block_rows, total - first), rows.data() + first / 64, rooms}, at);
    begin_ = at;
    steps_[at].run->judge_all(rows);
  }
}

void filtering::keep(const block& candidates) {
  keep(candidates, steps_.size());
}

void filtering::keep(const block& candidates, std::size_t end) {
  std::uint64_t left = count_candidates(candidates);
  for (std::size_t at = begin_; at < end; ++at) {
    auto& each = steps_[at];
    if (left == 0) return;
    each.hosts_in += left;
    if (each.run) {
      each.run->keep(candidates);
      left = count_candidates(candidates);
    }
    each.hosts_out += left;
  }
}

void filtering::set_counts(std::uint64_t hosts_in, const std::vector<std::uint64_t>& taken_out) {
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    steps_[at].hosts_in = hosts_in;
    steps_[at].hosts_out = hosts_in -= taken_out[at];
  }
}

void filtering::set_limits(std::uint32_t row, host_limits& limits) const {
  for (const auto& each : steps_) {
    if (each.run) each.run->set_limits(row, limits);
  }
}

}  // namespace filter_driver
