// SPDX-License-Identifier: Apache-2.0
//
// Searches the first candidate of a row that is accepted, among sets of choices. Does not try candidates that differ
// from one that was rejected only in which group of one request takes which provider, or in which of equal providers
// they take. So 8 of 8 equal devices are one trial, where placement would list 40,320 candidates. Devices that differ may
// have any number of candidates, so a search has a bound.
#pragma once

#include <cstdint>
#include <functional>
#include <gantry/driver/allocation_candidates.hpp>
#include <optional>
#include <vector>

#include "pci/pools.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

class candidate_search {
 public:
  // A search ends without a candidate after so many were rejected, or so many choices of a provider were made. Placement
  // itself lists 1,000 candidates of all hosts, unless [scheduler] max_placement_results of Nova says otherwise.
  static constexpr std::size_t most_rejected = 1'000;
  static constexpr std::size_t most_choices = 100'000;

  using choice = std::vector<std::uint32_t>;  // by group: the number of a provider
  using test = std::function<outcome<bool>(const choice& chosen)>;

  // `groups_of`: the groups of each PCI request. All arguments must outlive this object.
  candidate_search(const gantry::allocation_candidates& candidates, std::uint32_t row,
                   const std::vector<std::vector<std::uint32_t>>& groups_of);

  // Returns the first candidate that `accepts` takes. Empty: there is none, or the search has ended before. `pools`: the
  // row's, by which providers are equal; nullptr: no provider equals another. Raises the errors of `accepts`.
  outcome<std::optional<choice>> find(const test& accepts, const pci_pools* pools);

 private:
  // One provider of the set under search.
  struct provider {
    std::uint32_t number = 0;
    std::uint32_t uses = 0;
    std::uint32_t like = 0;              // the first provider that this one equals
    std::vector<bool> serves;            // by group
    std::vector<std::uint32_t> used_by;  // by kind of groups: how many it serves at present
  };

  void begin(std::uint32_t set);
  void find_equals(const pci_pools& pools);
  bool are_equal(const provider& a, const provider& b, const pci_pools& pools) const;
  bool is_repetition(std::uint32_t group, std::size_t at) const;
  bool is_over() const { return rejected_ >= most_rejected || choices_ >= most_choices; }
  outcome<bool> judge(const test& accepts);
  // Chooses for the groups from `group` on. Returns whether the candidate in chosen_ is accepted.
  outcome<bool> choose(std::uint32_t group, const test& accepts);

  const gantry::allocation_candidates& candidates_;
  const std::uint32_t row_;
  std::vector<std::uint32_t> request_of_;      // by group: the number of its PCI request. UINT32_MAX: it has none
  std::vector<std::uint32_t> kind_of_;         // by group: groups of one kind are alike
  std::vector<std::vector<std::size_t>> own_;  // by group: its choices, as indexes into providers_
  std::vector<provider> providers_;
  std::vector<std::size_t> picked_;  // by group: an index into own_[group]
  choice chosen_;
  const pci_pools* pools_ = nullptr;
  bool knows_equals_ = false;
  std::size_t rejected_ = 0;
  std::size_t choices_ = 0;
};

}  // namespace filter_driver
