// SPDX-License-Identifier: Apache-2.0
//
// Recovery at start: loads the store into memory.
#pragma once

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The number of records of each kind that were loaded.
struct Recovered {
  std::size_t services = 0, compute_nodes = 0, aggregates = 0, groups = 0, instances = 0, claims = 0, casts = 0;
  // The newest time in these records, by the clock of the service: it ran then.
  fleet::Nanoseconds newest = 0;
};

// Loads every document of the store into `state` and `answers`. Error if the store cannot be read or a document is
// damaged. The message then names the kind and key of the document.
Result<Recovered> recover(State& state, IdempotentAnswers& answers);

}  // namespace gantry::scheduling
