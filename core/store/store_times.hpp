// SPDX-License-Identifier: Apache-2.0
//
// Measures the work of a store, for metrics and statistics.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/telemetry/metrics/histogram.hpp"

namespace gantry::store {

// [any thread]
struct StoreTimes {
  telemetry::Histogram queue;   // from the submit of a batch to the start of its transaction; the first of each
  telemetry::Histogram commit;  // from the start of a transaction until it is on disk or has failed
  std::atomic<std::uint64_t> waiting{0};        // batches that wait for a transaction
  std::atomic<std::uint64_t> waiting_bytes{0};  // and their size
};

}  // namespace gantry::store
