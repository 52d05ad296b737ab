// SPDX-License-Identifier: Apache-2.0
//
// The hosts that placement offers for a request: the candidates of its question, and behind these the candidates of the
// question in which VCPU stands for PCPU.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nova/placement/candidate_set.hpp"

namespace gantry::nova {

class CandidateRows {
 public:
  // `fallback` may be nullptr.
  CandidateRows(std::shared_ptr<const CandidateSet> candidates, std::shared_ptr<const CandidateSet> fallback)
      : candidates_(std::move(candidates)), fallback_(std::move(fallback)) {}

  std::string_view source() const { return candidates_->source(); }
  bool is_empty() const { return candidates_->is_empty() && (fallback_ == nullptr || fallback_->is_empty()); }
  bool is_seen(std::string_view provider) const;
  bool is_claimable(std::string_view provider) const;
  // Returns the allocation request that Nova would claim. Empty: the provider is not claimable.
  std::string request_of(std::string_view provider) const;
  // The first in which these providers serve these groups. Without groups as above.
  std::string request_of(std::string_view provider, const ChosenProviders& chosen) const;
  // As CandidateSet has it, first of the candidates, then of those behind them.
  void each_choices(std::string_view provider, const std::vector<std::string>& groups,
                    const std::function<void(const CandidateChoices&)>& visit) const;
  // A host that is in both answers counts twice.
  std::size_t seen_count() const;
  std::size_t claimable_count() const;

 private:
  std::shared_ptr<const CandidateSet> candidates_;
  std::shared_ptr<const CandidateSet> fallback_;
};

}  // namespace gantry::nova
