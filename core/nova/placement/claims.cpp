// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/claims.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/nova/placement/batch_run.hpp"
#include "core/nova/placement/claim_run.hpp"
#include "core/nova/placement/withdrawal.hpp"

namespace gantry::nova {

namespace {

// The outcomes of several batches, until all have come.
struct Gathering {
  std::vector<ClaimOutcome> outcomes;
  std::size_t missing = 0;
  Claims::AllDone done;

  void take(std::size_t first, std::vector<ClaimOutcome> some) {
    std::move(some.begin(), some.end(), outcomes.begin() + static_cast<std::ptrdiff_t>(first));
    missing -= some.size();
    if (missing == 0) std::exchange(done, nullptr)(std::move(outcomes));
  }
};

}  // namespace

Claims::Claims(PlacementApi& api, Timers& timers, ClaimOptions options)
    : api_(api), timers_(timers), options_(std::move(options)) {}

void Claims::claim(ClaimRequest request, Clock::time_point deadline, ClaimDone done) {
  std::make_shared<ClaimRun>(Attempt(api_, timers_, options_, deadline), std::move(request), std::move(done))->start();
}

void Claims::take_up(ClaimRequest request, Clock::time_point deadline, ClaimDone done) {
  std::make_shared<ClaimRun>(Attempt(api_, timers_, options_, deadline), std::move(request), std::move(done))
      ->start_with_look_up();
}

void Claims::claim_all(std::vector<ClaimRequest> requests, Clock::time_point deadline, AllDone done) {
  if (requests.empty()) return done({});
  const std::size_t spread = (requests.size() + options_.connections - 1) / options_.connections;
  const std::size_t size = std::clamp<std::size_t>(spread, 1, options_.batch);
  auto gathering = std::make_shared<Gathering>();
  gathering->outcomes.resize(requests.size());
  gathering->missing = requests.size();
  gathering->done = std::move(done);
  for (std::size_t first = 0; first < requests.size(); first += size) {
    const auto begin = std::make_move_iterator(requests.begin() + static_cast<std::ptrdiff_t>(first));
    const auto count = std::min(size, requests.size() - first);
    std::make_shared<BatchRun>(
        Attempt(api_, timers_, options_, deadline),
        std::vector<ClaimRequest>(begin, begin + static_cast<std::ptrdiff_t>(count)),
        [gathering, first](std::vector<ClaimOutcome> some) { gathering->take(first, std::move(some)); })
        ->start();
  }
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
