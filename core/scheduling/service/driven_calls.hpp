// SPDX-License-Identifier: Apache-2.0
//
// The calls that go to a driver: each waits for its turn, runs in the driver, and may be given up there.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "core/scheduling/service/call_ending.hpp"
#include "core/scheduling/service/calls_under_way.hpp"
#include "core/scheduling/service/driven_call.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// [any thread]
class DrivenCalls final : public DrivenCallOwner {
 public:
  DrivenCalls(State& state, CallsUnderWay& calls, CallEnding& ending) : state_(state), calls_(calls), ending_(ending) {}

  // Sets what runs a call whose turn comes later. Empty: such a call is refused.
  void set_executor(Executor executor);
  bool has_executor() const { return has_executor_; }
  // Runs a call, unless it has to wait for its turn. Returns whether it has run.
  bool begin(const Method& method, drivers::Driver& driver, MethodCall call, Done done);

  void run_later(std::shared_ptr<DrivenCall> call) override;
  void refuse(DrivenCall& driven, Error error) override;
  void give_up(DrivenCall& driven, Error error) override;

 private:
  void run(DrivenCall& driven);

  State& state_;
  CallsUnderWay& calls_;
  CallEnding& ending_;
  std::mutex executor_mutex_;
  Executor executor_;  // guarded by executor_mutex_
  std::atomic<bool> has_executor_{false};
};

}  // namespace gantry::scheduling
