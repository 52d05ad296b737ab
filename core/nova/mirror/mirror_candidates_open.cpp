// SPDX-License-Identifier: Apache-2.0
//
// The requests of MirrorCandidates that leave open which provider serves a group.
#include <algorithm>

#include "core/nova/mirror/mirror_candidates.hpp"

namespace gantry::nova {

namespace {

// Gives each open group a provider with room for it.
class Serving {
 public:
  using OpenGroup = MirrorCandidates::OpenGroup;

  Serving(const std::vector<OpenGroup>& groups, const std::vector<MirrorCandidates::Mapping>& chosen)
      : groups_(groups), chosen_(chosen), server_(groups.size(), no_row) {}

  // Returns the provider of each group. Empty: there is no room for all.
  std::vector<ProviderRow> run() {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      tried_.clear();
      if (!serve(group)) return {};
    }
    return server_;
  }

 private:
  bool may_serve(std::size_t group, ProviderRow row) const {
    return std::ranges::none_of(
        chosen_, [&](const auto& wanted) { return wanted.group == groups_[group].group && wanted.row != row; });
  }

  // Finds a provider, and has groups that were served before move on to others if need be.
  bool serve(std::size_t group) {
    for (const auto& [row, room] : groups_[group].providers) {
      if (!may_serve(group, row) || std::ranges::find(tried_, row) != tried_.end()) continue;
      tried_.push_back(row);
      if (std::ranges::count(server_, row) < room || has_moved(row)) {
        server_[group] = row;
        return true;
      }
    }
    return false;
  }

  // Has one of the groups that the provider serves move on.
  bool has_moved(ProviderRow row) {
    for (std::size_t former = 0; former < server_.size(); ++former) {
      if (server_[former] == row && serve(former)) return true;
    }
    return false;
  }

  const std::vector<OpenGroup>& groups_;
  const std::vector<MirrorCandidates::Mapping>& chosen_;
  std::vector<ProviderRow> server_;
  std::vector<ProviderRow> tried_;  // for the group that is being served
};

}  // namespace

std::optional<MirrorCandidates::Settled> MirrorCandidates::settle(const OpenRequest& open,
                                                                  const std::vector<Mapping>& chosen) {
  const auto is_open = [&open](const Mapping& wanted) {
    return std::ranges::find(open.groups, wanted.group, &OpenGroup::group) != open.groups.end();
  };
  for (const auto& wanted : chosen) {
    const auto is_wanted = [&wanted](const Mapping& each) {
      return each.group == wanted.group && each.row == wanted.row;
    };
    if (!is_open(wanted) && std::ranges::none_of(open.mappings, is_wanted)) return std::nullopt;
  }
  const auto servers = Serving(open.groups, chosen).run();
  if (servers.size() != open.groups.size()) return std::nullopt;
  Settled settled{open.parts, open.mappings};
  for (std::size_t at = 0; at < servers.size(); ++at) {
    const Part part{servers[at], open.groups[at].resource_class, open.groups[at].amount};
    const auto known = std::ranges::find_if(settled.parts, [&part](const Part& former) {
      return former.row == part.row && former.resource_class == part.resource_class;
    });
    if (known == settled.parts.end())
      settled.parts.push_back(part);
    else
      known->amount += part.amount;
    settled.mappings.push_back({open.groups[at].group, servers[at]});
  }
  return settled;
}

bool MirrorCandidates::add_open(std::vector<Part> parts, std::vector<Mapping> mappings, std::vector<OpenGroup> open) {
  OpenRequest request{std::move(parts), std::move(mappings), std::move(open)};
  const auto first = settle(request, {});
  if (!first) return false;
  add(first->parts, first->mappings);
  requests_.back().open = static_cast<std::uint32_t>(open_.size());
  open_.push_back(std::move(request));
  return true;
}

}  // namespace gantry::nova
