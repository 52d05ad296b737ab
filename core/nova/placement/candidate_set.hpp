// SPDX-License-Identifier: Apache-2.0
//
// The hosts that can take a request, as placement names them. A set never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::nova {

// Which provider serves which group: (suffix of the group, uuid of the provider).
using ChosenProviders = std::vector<std::pair<std::string, std::string>>;

// Some candidates of one host: for each group the providers among which one can be chosen.
struct CandidateChoices {
  struct Provider {
    std::string_view uuid;
    std::uint32_t room = UINT32_MAX;  // how many of the groups it can serve
  };
  // A part of `providers`. Equal groups share one.
  struct Group {
    std::uint32_t begin;
    std::uint32_t count;
  };
  std::vector<Provider> providers;
  std::vector<Group> groups;
};

// [any thread]
class CandidateSet {
 public:
  virtual ~CandidateSet() = default;

  // The providers of the summaries: Nova filters and weighs the hosts among them.
  virtual bool is_seen(std::string_view provider) const = 0;
  // The provider gives resources in a request: the host can be picked.
  virtual bool is_claimable(std::string_view provider) const = 0;
  // The allocation request that Nova claims for the provider, as JSON. Empty: none.
  virtual std::string request_of(std::string_view provider) const = 0;
  // The first allocation request for the provider in which these providers serve these groups. Empty: none.
  virtual std::string request_of(std::string_view provider, const ChosenProviders& chosen) const = 0;
  // Calls `visit` for the candidates of the provider in their order, with the choices for the groups. A group that is not
  // served leaves its candidate out.
  virtual void each_choices(std::string_view provider, const std::vector<std::string>& groups,
                            const std::function<void(const CandidateChoices&)>& visit) const = 0;
  virtual std::size_t seen_count() const = 0;
  virtual std::vector<std::string> seen_providers() const = 0;
  virtual std::size_t claimable_count() const = 0;
  virtual bool is_empty() const = 0;
  // The party that has named them: "placement" or "mirror".
  virtual std::string_view source() const = 0;
};

}  // namespace gantry::nova
