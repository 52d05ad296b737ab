// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/candidate_rows.hpp"

#include <algorithm>

namespace gantry::nova {

bool CandidateRows::is_seen(std::string_view provider) const {
  return candidates_->is_seen(provider) || (fallback_ != nullptr && fallback_->is_seen(provider));
}

bool CandidateRows::is_claimable(std::string_view provider) const {
  return candidates_->is_claimable(provider) || (fallback_ != nullptr && fallback_->is_claimable(provider));
}

std::string_view CandidateRows::request_of(std::string_view provider) const {
  for (const auto* answer : {candidates_.get(), fallback_.get()}) {
    if (answer == nullptr) continue;
    const auto requests = answer->requests_of(provider);
    if (!requests.empty()) return requests.front();
  }
  return {};
}

std::size_t CandidateRows::seen_count() const {
  if (fallback_ == nullptr) return candidates_->seen().size();
  const auto& first = candidates_->seen();
  return first.size() + static_cast<std::size_t>(std::ranges::count_if(
                            fallback_->seen(), [&first](const auto& provider) { return !first.contains(provider); }));
}

std::size_t CandidateRows::claimable_count() const {
  // A host that is in both answers counts twice only here, where the number is for people.
  return candidates_->claimable_count() + (fallback_ == nullptr ? 0 : fallback_->claimable_count());
}

}  // namespace gantry::nova
