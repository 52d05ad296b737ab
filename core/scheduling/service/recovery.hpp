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
  std::size_t changed = 0;  // documents that another process put or removed meanwhile
  // The newest time in these records, by the clock of the service: it ran then.
  fleet::Nanoseconds newest = 0;
};

// Loads every document of the store into `state` and `answers`. Error if the store cannot be read or a document is
// damaged. The message then names the kind and key of the document.
Result<Recovered> recover(State& state, IdempotentAnswers& answers);
// For a store that was taken over: brings `state` and `answers` up to what the store has now. Fails as recover does.
Result<void> catch_up(State& state, IdempotentAnswers& answers, Recovered& recovered);
// Call when all documents are loaded.
void end_recovery(State& state);

}  // namespace gantry::scheduling
