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
#include "rules/amount.hpp"
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
  if (skips_filters_) return;
  const auto& steps = filters_->steps();
  const bool none_left = !uses_class_ && count_rows(rows_) == 0;
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
  if (!placed_.empty()) reason_ += ", after " + std::to_string(placed_.size()) + " instances of this request";
}

// Why the filters were asked about no host.
std::string decision::why_none_came() const {
  if (view_.rows() == 0) return "no host is known on this topic";
  if (const auto eligible = request_.eligible(); eligible && eligible->none())
    return "no host is among placement's candidates";
  if (reported_none_) return "no compute node that the request may go to has reported its capacity";
  const bool names_hosts = !facts_.force_hosts.empty() || !facts_.force_nodes.empty() ||
                           (facts_.destination && facts_.destination->host_is_set);
  if (!facts_.ignore_hosts.empty())
    return names_hosts ? "the request ignores the hosts that it names, or none of them is known"
                       : "the request ignores every host that it may go to";
  return names_hosts ? "no host that the request names is known" : "no host is in the cell that the request names";
}

// Returns the amount that was needed, and the greatest amount that a host rejected by this filter had. Runs the filters
// before this one once more, which is acceptable: lack() is called only if no host is left.
std::string decision::lack(const filtering::step& step, std::size_t at) {
  if (!step.run) return {};
  if (auto own = step.run->reason(); !own.empty()) return own;
  std::optional<filter_run::supply> best;
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
        const auto supply = step.run->supply_of(row);
        if (!supply) return {};
        if (!best || supply->best > best->best) best = supply;
      }
    }
  }
  if (!best) return {};
  return amount(best->need) + " " + std::string(best->unit) + " wanted, at most " + amount(best->best) +
         " on a host that came so far";
}

}  // namespace filter_driver
