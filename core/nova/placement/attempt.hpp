// SPDX-License-Identifier: Apache-2.0
//
// The common part of the runs of claims: calls within a deadline, waits, and the reading of answers.
#pragma once

#include <string>

#include "core/nova/placement/claims.hpp"

namespace gantry::nova {

// The meaning of an answer to PUT, POST or DELETE of allocations.
enum class Answer {
  done,               // 204
  lost_race,          // placement lost a race between its own calls: the same call may succeed
  consumer_conflict,  // the consumer's generation is another one
  refused,            // placement does not give the resources
  not_served,         // the caller or the call is not accepted at all
  unknown,            // it may have been done or not
  not_sent,           // it has not been done
};
Answer read_answer(const HttpOutcome& outcome);

// [strand]
class Attempt {
 public:
  Attempt(PlacementApi& api, Timers& timers, const ClaimOptions& options, Clock::time_point deadline)
      : api_(api), timers_(timers), options_(options), deadline_(deadline) {}

  void call(PlacementCall call, HttpDone done);
  // Whether a further call to a placement that is away still makes sense.
  bool may_retry() const { return timers_.now() + options_.retry_wait < deadline_; }
  // Calls `then` after a wait.
  void retry(std::function<void()> then);
  // Whether placement's own race is to be tried again. Counts the tries.
  bool may_race_again() { return ++tries_ < options_.tries; }
  void race_again(std::function<void()> then);
  const ClaimOptions& options() const { return options_; }

 private:
  PlacementApi& api_;
  Timers& timers_;
  ClaimOptions options_;
  Clock::time_point deadline_;
  std::size_t tries_ = 0;
  Timers::Handle timer_;
};

}  // namespace gantry::nova
