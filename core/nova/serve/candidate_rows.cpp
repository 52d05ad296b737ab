// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/candidate_rows.hpp"

namespace gantry::nova {

bool CandidateRows::is_seen(std::string_view provider) const {
  return candidates_->is_seen(provider) || (fallback_ != nullptr && fallback_->is_seen(provider));
}

bool CandidateRows::is_claimable(std::string_view provider) const {
  return candidates_->is_claimable(provider) || (fallback_ != nullptr && fallback_->is_claimable(provider));
}

std::string CandidateRows::request_of(std::string_view provider) const {
  auto request = candidates_->request_of(provider);
  return request.empty() && fallback_ != nullptr ? fallback_->request_of(provider) : request;
}

std::string CandidateRows::request_of(std::string_view provider, const ChosenProviders& chosen) const {
  if (chosen.empty()) return request_of(provider);
  auto request = candidates_->request_of(provider, chosen);
  return request.empty() && fallback_ != nullptr ? fallback_->request_of(provider, chosen) : request;
}

void CandidateRows::each_choices(std::string_view provider, const std::vector<std::string>& groups,
                                 const std::function<void(const CandidateChoices&)>& visit) const {
  candidates_->each_choices(provider, groups, visit);
  if (fallback_ != nullptr) fallback_->each_choices(provider, groups, visit);
}

std::size_t CandidateRows::seen_count() const {
  return candidates_->seen_count() + (fallback_ == nullptr ? 0 : fallback_->seen_count());
}

std::size_t CandidateRows::claimable_count() const {
  return candidates_->claimable_count() + (fallback_ == nullptr ? 0 : fallback_->claimable_count());
}

}  // namespace gantry::nova
