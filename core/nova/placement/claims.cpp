// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/claims.hpp"

#include <memory>
#include <utility>

#include "core/nova/placement/batch_run.hpp"
#include "core/nova/placement/claim_run.hpp"
#include "core/nova/placement/withdrawal.hpp"

namespace gantry::nova {

Claims::Claims(PlacementApi& api, Timers& timers, ClaimOptions options)
    : api_(api), timers_(timers), options_(std::move(options)) {}

void Claims::claim(ClaimRequest request, Clock::time_point deadline, ClaimDone done) {
  std::make_shared<ClaimRun>(Attempt(api_, timers_, options_, deadline), std::move(request), std::move(done))->start();
}

void Claims::take_up(ClaimRequest request, Clock::time_point deadline, ClaimDone done) {
  std::make_shared<ClaimRun>(Attempt(api_, timers_, options_, deadline), std::move(request), std::move(done))
      ->start_with_look_up();
}

void Claims::claim_together(std::vector<ClaimRequest> requests, Clock::time_point deadline, AllDone done) {
  std::make_shared<BatchRun>(Attempt(api_, timers_, options_, deadline), std::move(requests), std::move(done))->start();
}

void Claims::withdraw(const std::string& consumer, const std::string& request_id, Clock::time_point deadline,
                      WithdrawDone done) {
  std::make_shared<Deletion>(Attempt(api_, timers_, options_, deadline), consumer, request_id, std::move(done))
      ->start();
}

void Claims::give_back(const ClaimRequest& request, const ClaimOutcome& outcome, Clock::time_point deadline,
                       WithdrawDone done) {
  const auto claimed = json::parse_object(outcome.claimed.empty() ? "{}" : outcome.claimed);
  const auto former = json::parse_object(outcome.former.empty() ? "{}" : outcome.former);
  if (!claimed || !former || !are_allocations(*claimed) || !are_allocations(*former))
    return done({WithdrawOutcome::Kind::failed, "the claim of " + request.consumer + " cannot be read"});
  if (claimed->empty()) return done({WithdrawOutcome::Kind::nothing, ""});
  std::make_shared<GiveBack>(Attempt(api_, timers_, options_, deadline), request.consumer, request.request_id, *claimed,
                             *former, std::move(done))
      ->look_up();
}

}  // namespace gantry::nova
