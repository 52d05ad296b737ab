// SPDX-License-Identifier: Apache-2.0
#include "hosts/left_candidates.hpp"

#include <algorithm>
#include <gantry/driver/failure.hpp>
#include <utility>

#include "hosts/candidate_search.hpp"

namespace filter_driver {

left_candidates::left_candidates(const gantry::bits& claimable, const gantry_candidates* offered,
                                 const pci_requests& requests, const gantry::call* call)
    : claimable_(claimable), call_(call) {
  if (offered == nullptr || requests.empty()) return;
  const gantry::allocation_candidates all(*offered);
  bool any = false;
  for (const auto& each : requests) {
    auto& own = groups_of_.emplace_back();
    for (std::uint32_t group = 0; each.is_of_flavor && group < all.groups(); ++group) {
      if (!each.id.empty() && all.group(group).starts_with(each.id)) own.push_back(group);
    }
    any = any || !own.empty();
    all_have_groups_ = all_have_groups_ && !own.empty();
  }
  if (any) candidates_.emplace(all);
}

void left_candidates::begin() {
  kept_.clear();
}

bool left_candidates::is_listed(std::uint32_t row) const {
  const auto sets = candidates_->sets_of(row);
  for (std::uint32_t set = sets.begin; set < sets.begin + sets.count; ++set) {
    for (std::uint32_t group = 0; group < candidates_->groups(); ++group) {
      if (candidates_->choices(set, group).size() != 1) return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> left_candidates::listed(std::uint32_t row) const {
  if (const auto known = left_.find(row); known != left_.end()) return known->second;
  const auto sets = candidates_->sets_of(row);
  std::vector<std::uint32_t> all;
  for (std::uint32_t set = sets.begin; set < sets.begin + sets.count; ++set) all.push_back(set);
  return all;
}

left_candidates::choice left_candidates::choice_of(std::uint32_t set) const {
  choice chosen;
  for (std::uint32_t group = 0; group < candidates_->groups(); ++group)
    chosen.push_back(candidates_->choices(set, group)[0]);
  return chosen;
}

// Candidates of equal keys get equal verdicts: the order of a request's devices has no effect.
std::vector<std::uint32_t> left_candidates::key_of(const choice& chosen) const {
  std::vector<std::uint32_t> key;
  for (const auto& groups : groups_of_) {
    const auto begin = static_cast<std::ptrdiff_t>(key.size());
    for (const auto group : groups) key.push_back(chosen[group]);
    std::sort(key.begin() + begin, key.end());
  }
  return key;
}

request_providers left_candidates::providers_of(const choice& chosen) const {
  request_providers all;
  for (const auto& groups : groups_of_) {
    auto& own = all.emplace_back();
    for (const auto group : groups) own.push_back(candidates_->provider(chosen[group]));
  }
  return all;
}

outcome<bool> left_candidates::keep(std::uint32_t row, judge& by) {
  if (candidates_->sets_of(row).count == 0) return false;
  return is_listed(row) ? keep_listed(row, by) : keep_first(row, by);
}

outcome<bool> left_candidates::keep_listed(std::uint32_t row, judge& by) {
  const auto before = listed(row);
  by.begin_list();
  auto left = accepted_of(row, before, by);
  by.end_list();
  if (!left) return left.error();
  if (left->empty()) return false;
  if (left->size() < before.size()) left_[row] = *std::move(left);
  return true;
}

outcome<std::vector<std::uint32_t>> left_candidates::accepted_of(std::uint32_t row,
                                                                 const std::vector<std::uint32_t>& sets, judge& by) {
  std::map<std::vector<std::uint32_t>, bool> known;  // verdicts that hold while the judge's state is as it is
  auto state = by.state();
  std::vector<std::uint32_t> accepted;
  for (const auto set : sets) {
    const auto chosen = choice_of(set);
    auto key = key_of(chosen);
    auto verdict = known.find(key);
    if (verdict == known.end()) {
      const auto accepts = by.accepts(row, providers_of(chosen));
      if (!accepts) return accepts.error();
      if (auto now = by.state(); now != state) {
        known.clear();
        state = std::move(now);
        if (*accepts) accepted.push_back(set);
        continue;
      }
      verdict = known.emplace(std::move(key), *accepts).first;
    }
    if (verdict->second) accepted.push_back(set);
  }
  return accepted;
}

outcome<bool> left_candidates::keep_first(std::uint32_t row, judge& by) {
  const auto known = kept_.find(row);
  if (known == kept_.end()) {
    auto found = search(row, {&by}, by);
    if (!found) return found.error();
    if (found->empty()) return false;
    kept_.emplace(row, kept_choice{*std::move(found), {&by}});
    return true;
  }
  auto& kept = known->second;
  auto accepts = by.accepts(row, providers_of(kept.chosen));
  if (!accepts) return accepts;
  auto all = kept.by;
  if (std::find(all.begin(), all.end(), &by) == all.end()) all.push_back(&by);
  if (!*accepts) {
    auto found = search(row, all, by);
    if (!found) return found.error();
    if (found->empty()) return false;
    kept.chosen = *std::move(found);
  }
  kept.by = std::move(all);
  return true;
}

// Returns the first candidate that all judges accept. Empty: there is none. `by`: the one that asks now.
outcome<left_candidates::choice> left_candidates::search(std::uint32_t row, const judges& all, judge& by) {
  bool is_hopeless = false;
  bool is_first = true;
  const auto accepted = [&](const choice& chosen) -> outcome<bool> {
    const auto providers = providers_of(chosen);
    for (auto* const each : all) {
      auto accepts = each->accepts(row, providers);
      if (!accepts) return accepts;
      if (*accepts) continue;
      look_at_deadline();
      is_hopeless = std::exchange(is_first, false) && fails_with_any(row, *each);
      return is_hopeless;  // which ends the search
    }
    return true;
  };
  // Most hosts take the first.
  if (auto simplest = first_with_room(row); !simplest.empty()) {
    const auto accepts = accepted(simplest);
    if (!accepts) return accepts.error();
    if (is_hopeless) return choice();
    if (*accepts) return simplest;
  }
  // Equal devices serve a request equally well only if no other request takes devices as it finds them.
  auto found =
      candidate_search(*candidates_, row, groups_of_).find(accepted, all_have_groups_ ? by.pools_of(row) : nullptr);
  if (!found) return found.error();
  return *found && !is_hopeless ? std::move(**found) : choice();
}

void left_candidates::look_at_deadline() {
  constexpr std::uint32_t between_looks = 1024;
  if (++rejected_ % between_looks != 0 || call_ == nullptr || !call_->should_stop()) return;
  throw gantry::failure(gantry::code::deadline_exceeded, "the deadline passed while allocation candidates were judged");
}

// Returns the first candidate, where each group finds a provider with room left. Empty: it may be another one.
left_candidates::choice left_candidates::first_with_room(std::uint32_t row) const {
  choice chosen;
  chosen.reserve(candidates_->groups());
  const auto set = candidates_->sets_of(row).begin;
  for (std::uint32_t group = 0; group < candidates_->groups(); ++group) {
    const auto choices = candidates_->choices(set, group);
    const auto* const found = std::find_if(choices.begin(), choices.end(), [&](std::uint32_t provider) {
      return std::count(chosen.begin(), chosen.end(), provider) < candidates_->room(provider);
    });
    if (found == choices.end()) return {};
    chosen.push_back(*found);
  }
  return chosen;
}

// A single request finds among the devices of any providers what it finds among those of some.
bool left_candidates::fails_with_any(std::uint32_t row, judge& by) const {
  if (groups_of_.size() != 1) return false;
  const auto accepts = by.accepts(row, request_providers(1));
  return accepts && !*accepts;
}

left_candidates::choice left_candidates::first(std::uint32_t row) const {
  if (!candidates_ || candidates_->sets_of(row).count == 0) return {};
  if (is_listed(row)) return choice_of(listed(row).front());
  if (const auto known = kept_.find(row); known != kept_.end()) return known->second.chosen;
  auto found = candidate_search(*candidates_, row, groups_of_).find([](const choice&) { return true; }, nullptr);
  return found && *found ? **found : choice();
}

}  // namespace filter_driver
