// SPDX-License-Identifier: Apache-2.0
//
// A manager for tests of the transport. Answers each method with its context and arguments, unless the arguments, or an
// object among them, have a member "fake" that says otherwise:
//   result: ...         answer this
//   error: "not_found"  fail with that code; message, details
//   delay_ms: 20        answer from another thread, 20 ms later
//   block_ms: 20        hold the calling thread, as a decision does
//   overrun_ms: 20      with delay_ms: hold the calling thread, though the answer may have been given by then
//   hold: true          answer when released, or at drain
//   forget: true        never answer
//   unavailable: 2      fail the first two calls with the same idempotency key
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/scheduling/manager.hpp"

namespace gantry::testing {

class FakeManager final : public scheduling::Manager {
 public:
  FakeManager();
  ~FakeManager() override;

  bool handle(scheduling::MethodCall call, scheduling::Done done) override;
  std::vector<scheduling::MethodName> methods() const override;
  // Knows the tokens "good", of a reader, and "admin", of an admin.
  Result<std::shared_ptr<const scheduling::Caller>> authenticate(std::string_view token) const override;
  Result<void> check_role(const scheduling::Caller& caller, std::string_view method) const override;
  bool drain(std::chrono::steady_clock::time_point) override {
    release();
    return true;
  }

  std::vector<std::string> unready_reasons() const override { return reasons; }

  std::vector<std::string> reasons;  // set before the server starts

  // Waits until `count` calls are held. False: ten seconds have passed.
  bool wait_until_held(std::size_t count);
  void release();
  std::size_t handled() const;
  std::vector<std::thread::id> threads() const;

 private:
  using Clock = std::chrono::steady_clock;
  void answer_later(Clock::time_point when, scheduling::Done done, scheduling::Reply reply);
  void run_timer();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, std::pair<scheduling::Done, scheduling::Reply>> later_;
  std::vector<std::pair<scheduling::Done, scheduling::Reply>> held_;
  std::map<std::string, std::int64_t> refusals_;
  std::vector<std::thread::id> threads_;
  std::size_t handled_ = 0;
  bool ending_ = false;
  std::thread timer_;
};

}  // namespace gantry::testing
