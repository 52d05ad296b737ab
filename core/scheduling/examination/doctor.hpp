// SPDX-License-Identifier: Apache-2.0
//
// The doctor examines the running service: whether the invariants hold, and whether store and memory are the same. The
// doctor reports a fault only if the fault is still there after the calls that were under way have ended.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The manager's functions that the doctor calls.
struct DoctorHooks {
  // Waits until every call that is under way now has ended. Returns false if one did not end in time, or if the service
  // stops.
  std::function<bool()> settle;
  // Ends claims that are too old and evicts old IdempotentAnswers, in memory and in the store.
  std::function<void()> sweep;
};

// [any thread] Runs one examination at a time, on its own thread.
class Doctor {
 public:
  Doctor(State& state, IdempotentAnswers& answers, DoctorHooks hooks);
  ~Doctor();  // first answers the callers that still wait
  Doctor(const Doctor&) = delete;
  Doctor& operator=(const Doctor&) = delete;

  // Calls `done` later with the result of an examination that begins after this call. Callers that ask while one
  // examination runs share the next examination.
  void ask(Done done);

 private:
  void run();
  Reply examine();

  State& state_;
  IdempotentAnswers& answers_;
  const DoctorHooks hooks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Done> waiting_;
  bool ending_ = false;
  std::thread thread_;  // started by the first ask()
};

}  // namespace gantry::scheduling
