// SPDX-License-Identifier: Apache-2.0
//
// Several claims in one POST, all or none. Where the POST does not settle them, they are claimed one by one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/nova/placement/attempt.hpp"

namespace gantry::nova {

// [strand]
class BatchRun : public std::enable_shared_from_this<BatchRun> {
 public:
  using Done = std::function<void(std::vector<ClaimOutcome>)>;

  BatchRun(Attempt attempt, std::vector<ClaimRequest> requests, Done done);

  void start();

 private:
  void post();
  void take(const HttpOutcome& outcome);
  void claim_next(bool may_stand);
  void end(const ClaimOutcome& outcome);

  Attempt attempt_;
  Attempt fresh_attempt_;  // for the claims one by one
  std::vector<ClaimRequest> requests_;
  Done done_;
  std::string body_;
  std::vector<ClaimOutcome> outcomes_;
};

}  // namespace gantry::nova
