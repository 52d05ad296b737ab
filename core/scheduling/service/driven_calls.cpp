// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/driven_calls.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/scheduling/methods/run_method.hpp"

namespace gantry::scheduling {

void DrivenCalls::set_executor(Executor executor) {
  const std::lock_guard lock(executor_mutex_);
  has_executor_ = static_cast<bool>(executor);
  executor_ = std::move(executor);
}

bool DrivenCalls::begin(const Method& method, drivers::Driver& driver, MethodCall given, Done done) {
  const auto driven = std::make_shared<DrivenCall>(*this, method, driver, std::move(given), std::move(done));
  auto& call = driven->call;
  call.callers_deadline = call.deadline;
  call.deadline = std::min(call.deadline, std::chrono::steady_clock::now() + state_.changeable.call_timeout.load());
  const auto asked = driven->driver.turns().ask(driven, call.deadline);
  if (!asked) {
    refuse(*driven, asked.error());
    return true;
  }
  if (*asked == drivers::Turns::Asked::waits) return false;
  run(*driven);
  return true;
}

void DrivenCalls::run(DrivenCall& driven) {
  auto outcome = run_method(driven.method, state_, driven.call);
  driven.driver.turns().give_back(driven);
  if (driven.is_given_up()) return calls_.leave(driven.answered);
  ending_.finish(driven.method, std::move(driven.call), std::move(outcome), std::move(driven.done));
}

void DrivenCalls::run_later(std::shared_ptr<DrivenCall> call) {
  {
    const std::lock_guard lock(executor_mutex_);
    if (executor_) return executor_([this, call = std::move(call)] { run(*call); });
  }
  call->driver.turns().give_back(*call);
  refuse(*call, was_stopped());
}

void DrivenCalls::give_up(DrivenCall& driven, Error error) {
  driven.answered = calls_.enter_answered();
  refuse(driven, std::move(error));
}

void DrivenCalls::refuse(DrivenCall& driven, Error error) {
  ending_.refuse(driven.method.name, driven.idempotency_key, std::move(error), driven.done);
}

}  // namespace gantry::scheduling
