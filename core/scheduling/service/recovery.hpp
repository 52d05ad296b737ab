// SPDX-License-Identifier: Apache-2.0
//
// Brings memory back to what the store holds, at start.
#pragma once

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

struct Recovered {
  std::size_t services = 0, compute_nodes = 0, aggregates = 0, groups = 0, instances = 0, claims = 0, casts = 0;
};

// An error names the kind and key of the document that makes no sense.
Result<Recovered> recover(State& state, IdempotentAnswers& answers);

}  // namespace gantry::scheduling
