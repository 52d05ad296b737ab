// SPDX-License-Identifier: Apache-2.0
//
// The work of the service at intervals, on a thread of its own: it ends old claims and kept answers, stores heartbeats,
// tells which services went down, and writes the lines of the service's health.
#pragma once

#include <thread>

#include "core/scheduling/service/calls_under_way.hpp"
#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

class Housekeeping {
 public:
  // The three must outlive this object.
  Housekeeping(State& state, IdempotentAnswers& answers, CallsUnderWay& calls)
      : state_(state), answers_(answers), calls_(calls) {}

  // Starts the thread, which runs until `calls` refuses calls.
  void begin();
  // Waits for the end of the thread, and then stores the heartbeats that are left.
  void end();

  // Ends the claims and the kept answers that are too old. [any thread]
  void sweep();
  // Hands the heartbeats that are only in memory to the store. [any thread]
  void store_heartbeats();

 private:
  void run();
  void probe_store();

  State& state_;
  IdempotentAnswers& answers_;
  CallsUnderWay& calls_;
  std::thread thread_;
};

}  // namespace gantry::scheduling
