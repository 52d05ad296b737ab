// SPDX-License-Identifier: Apache-2.0
//
// What an earlier placement of an instance left, taken back: its claims, and the casts that nobody has acknowledged.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Memory follows after the commit: what a failed commit would have to take again, others may have taken by then.
struct Withdrawal {
  std::vector<fleet::Claim> claims;
  std::vector<std::string> casts;  // ids

  void finish(State& state) const;
  void undo(State& state) const;
};

// Adds to `batch` what stores a claim that holds, and erases what it replaced under another key. False: it holds no
// longer. Under State::changes.
bool store_claim(State& state, fleet::Claim& claim, store::Batch& batch);

// Adds to `batch` what erases the instance's claims, but not `kept` (nullptr: none), and its casts; the rest is for
// finish. Under State::changes.
void withdraw(State& state, const std::string& instance, const fleet::Claim* kept, Withdrawal& withdrawal,
              store::Batch& batch);

}  // namespace gantry::scheduling
