// SPDX-License-Identifier: Apache-2.0
//
// Placement, for threads that wait for its answers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/placement/candidate_questions.hpp"
#include "core/nova/placement/claims.hpp"
#include "core/nova/placement/placement_service.hpp"
#include "core/nova/serve/provider_turns.hpp"
#include "core/nova/serve/strand_thread.hpp"

namespace gantry::nova {

// [any thread] Each function blocks, until its deadline at the latest.
class PlacementDesk {
 public:
  static Result<std::unique_ptr<PlacementDesk>> make(const config::NovaSettings& settings);
  ~PlacementDesk();
  PlacementDesk(const PlacementDesk&) = delete;
  PlacementDesk& operator=(const PlacementDesk&) = delete;

  Result<void> check_microversions(Clock::time_point deadline);
  CandidateAnswer ask(const CandidateQuestions::Question& question);
  // Returns the aggregates of a provider. Raises as Nova does (core/nova/request/failure.hpp) if placement refuses to
  // tell, as for a provider that it does not know.
  Result<std::vector<std::string>> aggregates_of(const std::string& provider, Clock::time_point deadline);
  // Returns the providers that a consumer holds allocations of.
  Result<std::vector<std::string>> providers_claimed_by(const std::string& consumer, Clock::time_point deadline);
  // Claims in the order of the requests, some at a time. Behind a claim that is not held, none is tried.
  std::vector<ClaimOutcome> claim(const std::vector<ClaimRequest>& requests, Clock::time_point deadline);
  // Ends a claim whose answer was not read: see Claims::take_up.
  ClaimOutcome take_up(ClaimRequest request, Clock::time_point deadline);
  WithdrawOutcome give_back(const ClaimRequest& request, const ClaimOutcome& outcome, Clock::time_point deadline);

 private:
  PlacementDesk() = default;
  std::vector<ClaimOutcome> claim_together(std::vector<ClaimRequest> requests, Clock::time_point deadline);

  ProviderTurns turns_;
  StrandThread thread_;
  std::unique_ptr<AsioTimers> timers_;
  std::unique_ptr<ServiceLogin> login_;
  std::optional<PlacementService> service_;
  std::optional<CandidateQuestions> questions_;
  std::optional<Claims> claims_;
};

}  // namespace gantry::nova
