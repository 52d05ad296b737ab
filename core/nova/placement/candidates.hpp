// SPDX-License-Identifier: Apache-2.0
//
// The answer of GET /allocation_candidates.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/result.hpp"

namespace gantry::nova {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class Candidates {
 public:
  // Reads the body of an answer 200. The error names the place, what was expected and what was found.
  static Result<Candidates> read(std::string_view body);

  // The providers of the summaries: Nova filters and weighs the hosts among them.
  bool is_seen(std::string_view provider) const { return seen_.contains(provider); }
  // The provider gives resources in a request: the host can be picked.
  bool is_claimable(std::string_view provider) const { return by_provider_.find(provider) != by_provider_.end(); }
  // The allocation requests in which the provider gives resources, in placement's order, as JSON texts. Nova claims the
  // first. Empty: none.
  std::vector<std::string_view> requests_of(std::string_view provider) const;

  const std::unordered_set<std::string, TextHash, std::equal_to<>>& seen() const { return seen_; }
  std::size_t claimable_count() const { return by_provider_.size(); }
  const std::vector<std::string>& requests() const { return requests_; }
  bool is_empty() const { return requests_.empty(); }

 private:
  std::vector<std::string> requests_;
  std::unordered_set<std::string, TextHash, std::equal_to<>> seen_;
  std::unordered_map<std::string, std::vector<std::uint32_t>, TextHash, std::equal_to<>> by_provider_;
};

}  // namespace gantry::nova
