// SPDX-License-Identifier: Apache-2.0
//
// One claim on its way: PUT, and what follows from its answer.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/encoding/json.hpp"
#include "core/nova/placement/allocations.hpp"
#include "core/nova/placement/attempt.hpp"

namespace gantry::nova {

// The body of a claim for a new consumer: the allocation request, the owners, and no generation. invalid_argument: the
// allocation request is none.
Result<json::object> new_claim(const ClaimRequest& request);

// [strand]
class ClaimRun : public std::enable_shared_from_this<ClaimRun> {
 public:
  ClaimRun(Attempt attempt, ClaimRequest request, ClaimDone done);

  void start();
  // As start(), but a PUT of the same claim may have been sent before.
  void start_with_look_up();

 private:
  bool read_request();
  void put();
  void take_put(const HttpOutcome& outcome);
  void take_conflict();
  void look_up();
  void take_look_up(const HttpOutcome& outcome);
  void go_on_with(HeldAllocations held);
  void go_on_with_nothing();
  void move_from(HeldAllocations held);
  void take_absence(const HttpOutcome& outcome, void (ClaimRun::*again)());
  void retry(void (ClaimRun::*step)());
  void finish_conflict();
  void finish(ClaimOutcome::Kind kind, std::string reason);

  Attempt attempt_;
  ClaimRequest request_;
  ClaimDone done_;
  json::object body_;                     // the body of the PUT
  std::optional<HeldAllocations> moves_;  // the consumer's former allocations, if it moves
  bool may_stand_ = false;                // a PUT was sent whose answer was not read
  int conflicts_ = 0;                     // how often another generation was found
};

}  // namespace gantry::nova
