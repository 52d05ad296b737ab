// SPDX-License-Identifier: Apache-2.0
//
// Gives one claim back, if the consumer still holds just what was claimed.
#pragma once

#include <memory>
#include <string>

#include "core/encoding/json.hpp"
#include "core/nova/placement/allocations.hpp"
#include "core/nova/placement/attempt.hpp"

namespace gantry::nova {

// [strand]
class GiveBack : public std::enable_shared_from_this<GiveBack> {
 public:
  // `former`: what the consumer holds afterwards.
  GiveBack(Attempt attempt, std::string consumer, std::string request_id, json::object claimed, json::object former,
           WithdrawDone done);

  void look_up();

 private:
  void take_look_up(const HttpOutcome& outcome);
  void put(const HeldAllocations& held);
  void take_put(const HttpOutcome& outcome);
  void retry_or_fail(const HttpOutcome& outcome);
  void finish(WithdrawOutcome::Kind kind, std::string reason = "");

  Attempt attempt_;
  std::string consumer_;
  std::string request_id_;
  json::object claimed_;
  json::object former_;
  WithdrawDone done_;
  bool may_be_done_ = false;  // a PUT was sent whose answer was not read
};

// Deletes all that a consumer holds. [strand]
class Deletion : public std::enable_shared_from_this<Deletion> {
 public:
  Deletion(Attempt attempt, std::string consumer, std::string request_id, WithdrawDone done);

  void start();

 private:
  void take(const HttpOutcome& outcome);

  Attempt attempt_;
  std::string consumer_;
  std::string request_id_;
  WithdrawDone done_;
  bool may_be_done_ = false;
};

}  // namespace gantry::nova
