// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/shadow_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry::nova {

namespace {

constexpr double rounding = 1e-9;

const HostStanding* standing_of(const ShadowDecision& decision, std::size_t instance, const std::string& host) {
  if (instance >= decision.standings.size()) return nullptr;
  const auto found = decision.standings[instance].find(host);
  return found == decision.standings[instance].end() ? nullptr : &found->second;
}

// Whether nova-scheduler may have drawn the host from the best `subset` of the decision.
bool is_among_the_best(const ShadowDecision& decision, std::size_t instance, const std::string& host,
                       std::size_t subset) {
  const auto* standing = standing_of(decision, instance, host);
  if (standing == nullptr || !standing->weight) return false;
  const double slack = rounding * std::max(1.0, std::abs(*standing->weight));
  const auto better = std::ranges::count_if(decision.standings[instance], [&](const auto& other) {
    return other.second.weight && *other.second.weight > *standing->weight + slack;
  });
  return static_cast<std::size_t>(better) < std::max<std::size_t>(subset, 1);
}

// The first instance for which the two chose different hosts. The ones after it were decided on other facts.
std::size_t first_difference(const ShadowDecision& decision, const NovasChoice& choice) {
  const auto count = std::min(decision.picks.size(), choice.hosts.size());
  std::size_t at = 0;
  while (at < count && decision.picks[at] == choice.hosts[at]) ++at;
  return at;
}

bool is_same(const ShadowDecision& decision, const NovasChoice& choice) {
  return decision.picks == choice.hosts;
}

bool is_of_equal_weight(const ShadowDecision& decision, const NovasChoice& choice, std::size_t subset) {
  const auto at = first_difference(decision, choice);
  return at < choice.hosts.size() && at < decision.picks.size() &&
         is_among_the_best(decision, at, choice.hosts[at], subset);
}

// Returns the hosts that passed, the best first, without the chosen ones: the claim itself changes them.
std::vector<std::string> order_of_others(const ShadowDecision& decision, const NovasChoice& choice) {
  std::vector<std::pair<double, std::string>> order;
  if (!decision.standings.empty()) {
    for (const auto& [host, standing] : decision.standings.front())
      if (standing.weight && std::ranges::find(choice.hosts, host) == choice.hosts.end())
        order.emplace_back(-*standing.weight, host);
  }
  std::ranges::sort(order);
  std::vector<std::string> hosts;
  hosts.reserve(order.size());
  for (auto& entry : order) hosts.push_back(std::move(entry.second));
  return hosts;
}

bool have_facts_changed(std::span<const ShadowDecision> decisions, const NovasChoice& choice) {
  const auto first = order_of_others(decisions.front(), choice);
  return std::ranges::any_of(decisions.subspan(1),
                             [&](const auto& later) { return order_of_others(later, choice) != first; });
}

std::string cause_of(const ShadowDecision& decision, const NovasChoice& choice, std::size_t most_candidates) {
  if (choice.is_refused()) return "refused by nova-scheduler";
  const auto at = decision.is_refused() ? 0 : first_difference(decision, choice);
  const auto* standing = at < choice.hosts.size() ? standing_of(decision, at, choice.hosts[at]) : nullptr;
  if (standing != nullptr && !standing->rejected_by.empty()) return "filter " + standing->rejected_by;
  if (decision.is_refused()) return "refused by Gantry";
  if (standing == nullptr) return "no candidate";
  const auto seen = decision.standings[at].size();
  return most_candidates != 0 && seen > most_candidates ? "limit of candidates" : "weight";
}

}  // namespace

std::string_view name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::agreed: return "agreed";
    case Agreement::equal_weight: return "equal_weight";
    case Agreement::agreed_later: return "agreed_later";
    case Agreement::facts_changed: return "facts_changed";
    case Agreement::differed: return "differed";
    case Agreement::not_known: return "not_known";
  }
  return "not_known";
}

ShadowVerdict judge(std::span<const ShadowDecision> decisions, const NovasChoice& choice, std::size_t subset,
                    std::size_t most_candidates) {
  if (is_same(decisions.front(), choice)) return {Agreement::agreed, {}};
  if (is_of_equal_weight(decisions.front(), choice, subset)) return {Agreement::equal_weight, {}};
  for (const auto& later : decisions.subspan(1))
    if (is_same(later, choice) || is_of_equal_weight(later, choice, subset)) return {Agreement::agreed_later, {}};
  if (have_facts_changed(decisions, choice)) return {Agreement::facts_changed, {}};
  return {Agreement::differed, cause_of(decisions.front(), choice, most_candidates)};
}

}  // namespace gantry::nova
