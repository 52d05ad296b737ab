// SPDX-License-Identifier: Apache-2.0
//
// What an earlier placement of an instance left, taken back: its claims, and the casts that nobody has acknowledged.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state.hpp"

namespace gantry::scheduling {

struct Withdrawal {
  std::vector<fleet::Claim> claims;
  std::vector<std::string> casts;  // ids

  // After the commit: nobody receives the casts any more.
  void finish(State& state) const;
  void undo(State& state) const;
};

// Ends the instance's claims in memory, but not `kept` (nullptr: none), and adds to `batch` what erases them and the
// casts. Under State::changes.
void withdraw(State& state, const std::string& instance, const fleet::Claim* kept, Withdrawal& withdrawal,
              store::Batch& batch);

}  // namespace gantry::scheduling
