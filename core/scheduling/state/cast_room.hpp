// SPDX-License-Identifier: Apache-2.0
//
// Whether a further cast may wait.
#pragma once

#include "core/result.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Fails with resource_exhausted if the casts that wait have more bytes than they may. Their hosts fetch none.
inline Result<void> check_cast_room(const State& state) {
  const auto most = state.parts.settings.limits.cast_bytes;
  const auto found = state.casts.bytes();
  if (found < most) return {};
  return Error{ErrorCode::resource_exhausted,
               "casts that wait for their hosts: expected at most " + std::to_string(most) + " bytes, found " +
                   std::to_string(found) + "; `gantry cast list` shows the hosts that fetch none",
               {}};
}

}  // namespace gantry::scheduling
