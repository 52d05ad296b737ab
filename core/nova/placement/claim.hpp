// SPDX-License-Identifier: Apache-2.0
//
// A claim of resources for one consumer, and what became of it.
#pragma once

#include <functional>
#include <string>

namespace gantry::nova {

struct ClaimRequest {
  std::string consumer;            // the instance's uuid
  std::string allocation_request;  // JSON, as Candidates holds it: with allocations and mappings
  std::string project_id;
  std::string user_id;
  std::string request_id;  // global, "req-..."; empty: none
};

struct ClaimOutcome {
  enum class Kind {
    held,               // placement holds the allocations for the consumer
    refused,            // placement refused: another host may do. Nothing is claimed
    consumer_conflict,  // another process changes the same consumer: Nova's AllocationUpdateFailed
    not_claimed,        // placement could not be asked, or the claim was not tried. Nothing is claimed
    unknown,            // the claim may stand or not: it is to be given back
  };

  Kind kind = Kind::not_claimed;
  std::string reason;   // placement's words, or why it could not be asked. Empty if held
  std::string claimed;  // JSON of the allocations that stand or may stand. Empty: none do
  std::string former;   // JSON of the allocations that the consumer held before, if it moves. Empty: none

  bool is_held() const { return kind == Kind::held; }
};

using ClaimDone = std::function<void(ClaimOutcome)>;

struct WithdrawOutcome {
  enum class Kind {
    withdrawn,  // placement holds nothing of the claim any more
    nothing,    // it held nothing
    changed,    // the consumer holds other allocations than were claimed: they are left
    failed,     // placement refused or could not be asked: the claim may stand
  };

  Kind kind = Kind::failed;
  std::string reason;  // if failed
};

using WithdrawDone = std::function<void(WithdrawOutcome)>;

}  // namespace gantry::nova
