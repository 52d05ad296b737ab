// SPDX-License-Identifier: Apache-2.0
#include "hosts/candidate_search.hpp"

#include <algorithm>

#include "python/python_value.hpp"

namespace filter_driver {

namespace {

// Keys of a pool that differ between equal devices.
bool is_own(const pci_value& value) {
  return value.key == "rp_uuid" || value.key == "address" || value.key == "parent_ifname";
}

bool are_alike(const pci_pool& a, const pci_pool& b) {
  if (a.count != b.count || a.values.size() != b.values.size()) return false;
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                    [](const pci_value& one, const pci_value& other) {
                      return one.key == other.key && (is_own(one) || one.value == other.value);
                    });
}

// Returns the only pool of the provider. nullptr if it has none, or several.
const pci_pool* only_pool_of(std::string_view provider, const pci_pools& pools, bool& has_several) {
  const pci_pool* only = nullptr;
  has_several = false;
  for (const auto& pool : pools) {
    if (!pool.has_provider || pool.provider != provider) continue;
    has_several = only != nullptr;
    only = &pool;
  }
  return only;
}

}  // namespace

candidate_search::candidate_search(const gantry::allocation_candidates& candidates, std::uint32_t row,
                                   const std::vector<std::vector<std::uint32_t>>& groups_of)
    : candidates_(candidates), row_(row), request_of_(candidates.groups(), UINT32_MAX) {
  for (std::size_t request = 0; request < groups_of.size(); ++request) {
    for (const auto group : groups_of[request]) request_of_[group] = static_cast<std::uint32_t>(request);
  }
}

outcome<std::optional<candidate_search::choice>> candidate_search::find(const test& accepts, const pci_pools* pools) {
  pools_ = pools;
  rejected_ = choices_ = 0;
  const auto sets = candidates_.sets_of(row_);
  for (std::uint32_t set = sets.begin; set < sets.begin + sets.count; ++set) {
    begin(set);
    const auto found = choose(0, accepts);
    if (!found) return found.error();
    if (*found) return std::optional(chosen_);
  }
  return std::optional<choice>();
}

void candidate_search::begin(std::uint32_t set) {
  const auto groups = candidates_.groups();
  own_.assign(groups, {});
  kind_of_.assign(groups, 0);
  providers_.clear();
  picked_.assign(groups, 0);
  chosen_.assign(groups, 0);
  knows_equals_ = false;
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (const auto number : candidates_.choices(set, group)) {
      auto known = std::find_if(providers_.begin(), providers_.end(),
                                [number](const provider& each) { return each.number == number; });
      if (known == providers_.end()) {
        known = providers_.emplace(providers_.end());
        known->number = number;
        known->like = static_cast<std::uint32_t>(known - providers_.begin());
        known->serves.assign(groups, false);
        known->used_by.assign(groups, 0);
      }
      known->serves[group] = true;
      own_[group].push_back(static_cast<std::size_t>(known - providers_.begin()));
    }
    const bool is_like_before =
        group > 0 && request_of_[group] == request_of_[group - 1] && own_[group] == own_[group - 1];
    kind_of_[group] = is_like_before ? kind_of_[group - 1] : group;
  }
}

bool candidate_search::are_equal(const provider& a, const provider& b, const pci_pools& pools) const {
  if (a.serves != b.serves || candidates_.room(a.number) != candidates_.room(b.number)) return false;
  bool a_has_several = false;
  bool b_has_several = false;
  const auto* const of_a = only_pool_of(candidates_.provider(a.number), pools, a_has_several);
  const auto* const of_b = only_pool_of(candidates_.provider(b.number), pools, b_has_several);
  if (a_has_several || b_has_several || (of_a == nullptr) != (of_b == nullptr)) return false;
  return of_a == nullptr || are_alike(*of_a, *of_b);
}

void candidate_search::find_equals(const pci_pools& pools) {
  for (std::size_t at = 1; at < providers_.size(); ++at) {
    for (std::size_t before = 0; before < at; ++before) {
      if (providers_[before].like != before || !are_equal(providers_[before], providers_[at], pools)) continue;
      providers_[at].like = static_cast<std::uint32_t>(before);
      break;
    }
  }
}

// Returns true if a choice before this one is an equal provider that is used as much. A candidate with that provider was
// tried then.
bool candidate_search::is_repetition(std::uint32_t group, std::size_t at) const {
  const auto& wanted = providers_[own_[group][at]];
  return std::any_of(own_[group].begin(), own_[group].begin() + static_cast<std::ptrdiff_t>(at),
                     [&](std::size_t index) {
                       return providers_[index].like == wanted.like && providers_[index].used_by == wanted.used_by;
                     });
}

outcome<bool> candidate_search::judge(const test& accepts) {
  auto accepted = accepts(chosen_);
  if (!accepted || *accepted) return accepted;
  ++rejected_;
  if (!knows_equals_ && pools_ != nullptr) {
    find_equals(*pools_);
    knows_equals_ = true;
  }
  return accepted;
}

outcome<bool> candidate_search::choose(std::uint32_t group, const test& accepts) {
  if (group == own_.size()) return judge(accepts);
  const bool is_like_before = group > 0 && kind_of_[group] == kind_of_[group - 1];
  for (std::size_t at = is_like_before ? picked_[group - 1] : 0; at < own_[group].size() && !is_over(); ++at) {
    auto& taken = providers_[own_[group][at]];
    ++choices_;
    if (taken.uses >= candidates_.room(taken.number) || is_repetition(group, at)) continue;
    picked_[group] = at;
    chosen_[group] = taken.number;
    ++taken.uses;
    ++taken.used_by[kind_of_[group]];
    auto accepted = choose(group + 1, accepts);
    --taken.uses;
    --taken.used_by[kind_of_[group]];
    if (!accepted || *accepted) return accepted;
  }
  return false;
}

}  // namespace filter_driver
