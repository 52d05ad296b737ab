// SPDX-License-Identifier: Apache-2.0
//
// Claims resources in placement, as Nova does, and gives them back. Placement is the arbiter: a claim is held if
// placement says so. An answer that was lost is looked up.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/nova/http/timers.hpp"
#include "core/nova/placement/claim.hpp"
#include "core/nova/placement/placement_api.hpp"

namespace gantry::nova {

struct ClaimOptions {
  std::size_t tries = 4;                      // where placement lost a race of its own, as Nova tries
  std::chrono::milliseconds race_wait{50};    // at most, before the second try; before each further one twice that
  std::chrono::milliseconds retry_wait{250};  // between attempts to reach placement
  std::chrono::milliseconds timeout{30000};   // the time for one call
  std::function<double()> random = {};        // from 0 up to 1; none: unpredictable
};

// [strand] Callbacks come once each, at once or later, at the deadline at the latest.
class Claims {
 public:
  using AllDone = std::function<void(std::vector<ClaimOutcome>)>;

  // `api` and `timers` must outlive this object and the calls under way.
  Claims(PlacementApi& api, Timers& timers, ClaimOptions options);

  // A consumer that holds allocations already moves: it keeps them, and gets those of the request as well.
  void claim(ClaimRequest request, Clock::time_point deadline, ClaimDone done);
  // Claims for several consumers in one call, all or none. Where that does not settle them, they are claimed one by one up
  // to the first that is refused. The outcomes have the order of the requests, of which there is one at least.
  void claim_together(std::vector<ClaimRequest> requests, Clock::time_point deadline, AllDone done);
  // Ends the claim whose answer was not read, for example by a process that has ended: looks first whether it stands.
  void take_up(ClaimRequest request, Clock::time_point deadline, ClaimDone done);

  // Deletes all that the consumer holds, as Nova cleans up after several claims.
  void withdraw(const std::string& consumer, const std::string& request_id, Clock::time_point deadline,
                WithdrawDone done);
  // Gives a claim back, unless the consumer holds something else by now. A consumer that moves keeps what it held.
  void give_back(const ClaimRequest& request, const ClaimOutcome& outcome, Clock::time_point deadline,
                 WithdrawDone done);

 private:
  PlacementApi& api_;
  Timers& timers_;
  ClaimOptions options_;
};

}  // namespace gantry::nova
