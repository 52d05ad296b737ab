// SPDX-License-Identifier: Apache-2.0
//
// Examines the whole while it runs: the invariants, and whether store and memory are the same. What calls under way do
// not explain is a finding.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// What the doctor asks of the manager.
struct DoctorsAids {
  // Returns when every call that was under way has ended; false: some had not in time, or the service stops.
  std::function<bool()> settle;
  // Ends claims that are too old and so on, in the store too.
  std::function<void()> sweep;
};

// [any thread] Examines on a thread of its own, one at a time.
class Doctor {
 public:
  Doctor(State& state, IdempotentAnswers& answers, DoctorsAids aids);
  ~Doctor();  // answers who waits
  Doctor(const Doctor&) = delete;
  Doctor& operator=(const Doctor&) = delete;

  // Who asks while one is examined is answered by the next one, with others that came meanwhile.
  void ask(Done done);

 private:
  void run();
  Reply examine();

  State& state_;
  IdempotentAnswers& answers_;
  const DoctorsAids aids_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Done> waiting_;
  bool ending_ = false;
  std::thread thread_;  // from the first question on
};

}  // namespace gantry::scheduling
