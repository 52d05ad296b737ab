// SPDX-License-Identifier: Apache-2.0
//
// The part of a decision that explains its steps: which filter left how many hosts, and why none was left.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decision/decision.hpp"
#include "decision/explain_hosts.hpp"
#include "decision/host_selection.hpp"
#include "decision/shortfall.hpp"
#include "rules/asking.hpp"
#include "rules/count_rows.hpp"

namespace filter_driver {

void decision::explain_complete(std::uint64_t in, std::uint64_t out) {
  if (out < in) call_.explain({"complete", in, out, "no compute node has reported their capacity"});
}

void decision::explain_hosts(std::uint32_t instance, const std::vector<std::uint32_t>& front, const ranking& rest) {
  if (request_.explain_hosts() == gantry::explain_hosts::none) return;
  auto order = front;
  auto others = rest;
  while (const auto row = others.next()) order.push_back(*row);
  const asking with{call_, request_, view_, instance};
  const question asked{hosts_->table(), facts_, rules_.options(), &with,
                       candidates_before_ ? &*candidates_before_ : nullptr};
  filter_driver::explain_hosts(call_, request_.explain_hosts(), rules_, asked,
                               {instance, skips_filters_, request_.eligible(), named_, before_, rows_, order}, rounds_);
}

void decision::explain(std::uint32_t instance) {
  const bool none_left = !uses_class_ && count_rows(rows_) == 0;
  if (skips_filters_) {
    if (none_left && reason_.empty()) reason_ = why_none_came();
    return;
  }
  const auto& steps = filters_->steps();
  // No candidate was left before this instance: reason_ already names the filter that rejected the last ones.
  if (none_left && !reason_.empty() && count_rows(before_) == 0) return;
  reason_.clear();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto& step = steps[at];
    if (step.hosts_in == 0) break;
    const bool empties = none_left && step.hosts_out == 0;
    std::string reason;
    if (none_left && step.hosts_out < step.hosts_in) {
      reason = lack(step, at);
      if (reason.empty()) reason = step.rule->complaint;
    }
    const std::string_view why = step.hosts_out < step.hosts_in && reason.empty() ? step.rule->complaint : reason;
    call_.explain({step.rule->name, step.hosts_in, step.hosts_out, why, instance});
    if (empties) reason_ = std::string(step.rule->name) + (reason.empty() ? "" : ": " + reason);
  }
  if (!none_left) return;
  if (reason_.empty()) reason_ = why_none_came();
  if (!placed_.empty())
    reason_ += ", after " + std::to_string(placed_.size()) + (placed_.size() == 1 ? " instance" : " instances") +
               " of this request";
}

// Why the filters were asked about no host.
std::string decision::why_none_came() const {
  if (view_.rows() == 0) return "no host is known on this topic";
  if (const auto eligible = request_.eligible(); eligible && eligible->none())
    return "no host is among placement's candidates";
  if (reported_none_) return "no compute node that the request may go to has reported its capacity";
  return why_none_selected(hosts_->table(), facts_, rules_.options().compatibility, request_.eligible());
}

// Returns what was wanted, and what the hosts that this filter rejected had of that. Runs the filters before this one
// once more, which is acceptable: lack() is called only if no host is left.
std::string decision::lack(const filtering::step& step, std::size_t at) {
  if (!step.run) return {};
  if (auto own = step.run->reason(); !own.empty()) return own;
  shortfall all;
  auto rows = before_;
  const auto total = hosts_->table().rows;
  for (std::uint32_t first = 0; first < total; first += block_rows) {
    const block here{first, std::min(block_rows, total - first), rows.data() + first / 64, rooms_};
    for (std::size_t i = 0; i < at; ++i) {
      if (filters_->steps()[i].run) filters_->steps()[i].run->keep(here);
    }
    const std::vector<std::uint64_t> candidates(here.rows, here.rows + here.words());
    step.run->keep(here);
    for (std::uint32_t word = 0; word < here.words(); ++word) {
      for (std::uint64_t removed = candidates[word] & ~here.rows[word]; removed != 0; removed &= removed - 1) {
        const auto row = first + word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(removed));
        if (!all.add(*step.run, row)) return all.text();
      }
    }
  }
  return all.text();
}

}  // namespace filter_driver
