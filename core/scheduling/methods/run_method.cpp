// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/run_method.hpp"

#include <exception>
#include <string>
#include <utility>

namespace gantry::scheduling {

Outcome run_method(const Method& method, State& state, MethodCall& call) {
  try {
    if (!method.handle.takes_apart() || call.idempotency_key.empty()) return method.handle(state, std::move(call));
    // The arguments are needed again, for the fingerprint of the kept answer.
    return method.handle(state, MethodCall(call));
  } catch (const std::exception& thrown) {
    return failed({ErrorCode::internal, std::string(method.name) + " failed: " + thrown.what(), {}});
  }
}

}  // namespace gantry::scheduling
