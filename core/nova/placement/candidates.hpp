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

#include "core/nova/placement/candidate_set.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class Candidates final : public CandidateSet {
 public:
  // Reads the body of an answer 200. The error names the place, what was expected and what was found.
  static Result<Candidates> read(std::string_view body);

  bool is_seen(std::string_view provider) const override { return seen_.contains(provider); }
  bool is_claimable(std::string_view provider) const override {
    return by_provider_.find(provider) != by_provider_.end();
  }
  std::string request_of(std::string_view provider) const override;
  std::string request_of(std::string_view provider, const ChosenProviders& chosen) const override;
  void each_choices(std::string_view provider, const std::vector<std::string>& groups,
                    const std::function<void(const CandidateChoices&)>& visit) const override;
  std::size_t seen_count() const override { return seen_.size(); }
  std::size_t claimable_count() const override { return by_provider_.size(); }
  bool is_empty() const override { return requests_.empty(); }
  std::vector<std::string> seen_providers() const override { return {seen_.begin(), seen_.end()}; }
  std::string_view source() const override { return "placement"; }

  // The allocation requests in which the provider gives resources, in placement's order, as JSON texts. Empty: none.
  std::vector<std::string_view> requests_of(std::string_view provider) const;

  const std::unordered_set<std::string, TextHash, std::equal_to<>>& seen() const { return seen_; }
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  std::vector<std::string> requests_;
  std::unordered_set<std::string, TextHash, std::equal_to<>> seen_;
  std::unordered_map<std::string, std::vector<std::uint32_t>, TextHash, std::equal_to<>> by_provider_;
};

}  // namespace gantry::nova
