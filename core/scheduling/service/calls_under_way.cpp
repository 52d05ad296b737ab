// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/calls_under_way.hpp"

namespace gantry::scheduling {

Error was_stopped() {
  return {ErrorCode::unavailable, "the service is stopping; try again", {}};
}

namespace {

// A call ends within server.request_timeout, unless a driver hangs.
constexpr std::chrono::seconds longest_settling{15};

}  // namespace

std::optional<CallsUnderWay::Entered> CallsUnderWay::enter(bool is_waiting) {
  const std::lock_guard lock(mutex_);
  if (refusing_) return std::nullopt;
  ++under_way_;
  const std::size_t generation = is_waiting ? changing_nothing : generation_;
  ++of_generation_[generation];
  return Entered(generation);
}

void CallsUnderWay::leave(Entered entered) {
  const std::lock_guard lock(mutex_);
  --under_way_;
  --of_generation_[static_cast<std::size_t>(entered)];
  // Only a stop and the doctor wait for this. Housekeeping, which sleeps on the same condition, is not woken.
  if (refusing_ || settling_) changed_.notify_all();
}

CallsUnderWay::Entered CallsUnderWay::enter_answered() {
  const std::lock_guard lock(mutex_);
  ++under_way_;
  ++of_generation_[changing_nothing];
  return Entered(changing_nothing);
}

bool CallsUnderWay::settle() {
  const auto until = std::chrono::steady_clock::now() + longest_settling;
  std::unique_lock lock(mutex_);
  settling_ = true;
  const auto ended = [&](std::size_t generation) {
    changed_.wait_until(lock, until, [&] { return refusing_ || of_generation_[generation] == 0; });
    return !refusing_ && of_generation_[generation] == 0;
  };
  // The older generation is empty unless an earlier settle() gave up on it.
  bool settled = ended(1 - generation_);
  if (settled) {
    generation_ = 1 - generation_;
    settled = ended(1 - generation_);
  }
  settling_ = false;
  return settled;
}

void CallsUnderWay::refuse() {
  {
    const std::lock_guard lock(mutex_);
    refusing_ = true;
  }
  changed_.notify_all();
}

void CallsUnderWay::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return under_way_ == 0; });
}

std::size_t CallsUnderWay::wait_until(TimePoint deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [this] { return under_way_ == 0; });
  return under_way_;
}

bool CallsUnderWay::sleep(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return refusing_; });
}

}  // namespace gantry::scheduling
