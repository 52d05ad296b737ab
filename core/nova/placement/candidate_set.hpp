// SPDX-License-Identifier: Apache-2.0
//
// The hosts that can take a request, as placement names them. A set never changes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::nova {

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
  virtual std::size_t seen_count() const = 0;
  virtual std::vector<std::string> seen_providers() const = 0;
  virtual std::size_t claimable_count() const = 0;
  virtual bool is_empty() const = 0;
  // The party that has named them: "placement" or "mirror".
  virtual std::string_view source() const = 0;
};

}  // namespace gantry::nova
