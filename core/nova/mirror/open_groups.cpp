// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/open_groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gantry::nova {

bool may_be_open(const CandidateQuestion& question, std::size_t group, const GroupMatches& matches) {
  const auto& suffix = question.groups[group].suffix;
  const bool is_bound = std::ranges::any_of(question.same_subtree, [&suffix](const auto& suffixes) {
    return std::ranges::find(suffixes, suffix) != suffixes.end();
  });
  return !suffix.empty() && !is_bound && matches.amounts.size() == 1;
}

std::optional<std::vector<MirrorCandidates::OpenGroup::Provider>> open_providers(
    const ProviderShape& shape, ProviderRow anchor, const GroupAmount& amount,
    std::span<const GroupMatches::Request> requests, std::size_t groups) {
  std::vector<MirrorCandidates::OpenGroup::Provider> providers;
  providers.reserve(requests.size());
  for (const auto& request : requests) {
    const auto row = request.front();
    if (request.size() != 1 || shape.root(row) != anchor) return std::nullopt;
    const auto room = std::min(amount.column->most(row) / amount.amount, static_cast<std::int64_t>(groups));
    if (room > 0) providers.push_back({row, static_cast<std::uint32_t>(room)});
  }
  return providers;
}

bool are_apart(const std::vector<MirrorCandidates::OpenGroup>& open, const std::vector<MirrorCandidates::Part>& parts) {
  std::map<ProviderRow, std::pair<std::uint32_t, std::int64_t>> known;
  const MirrorCandidates::OpenGroup* before = nullptr;
  for (const auto& group : open) {
    const auto* const last = std::exchange(before, &group);
    if (last != nullptr && last->resource_class == group.resource_class && last->amount == group.amount &&
        last->providers == group.providers)
      continue;
    for (const auto& provider : group.providers) {
      const std::pair gives(group.resource_class, group.amount);
      if (known.emplace(provider.row, gives).first->second != gives) return false;
      const auto takes = [&](const auto& part) {
        return part.row == provider.row && part.resource_class == group.resource_class;
      };
      if (std::ranges::any_of(parts, takes)) return false;
    }
  }
  return true;
}

}  // namespace gantry::nova
