// SPDX-License-Identifier: Apache-2.0
//
// A placement whose answers a test writes down, and a clock that a test turns.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/nova/http/timers.hpp"
#include "core/nova/placement/placement_api.hpp"

namespace gantry::nova::testing {

class ManualTimers final : public Timers {
 public:
  Clock::time_point now() const override { return now_; }
  Handle at(Clock::time_point time, std::function<void()> then) override {
    auto handle = std::make_shared<int>();
    waiting_.emplace(time, std::pair(std::weak_ptr<void>(handle), std::move(then)));
    return handle;
  }

  void advance(Clock::duration time) {
    const auto end = now_ + time;
    while (!waiting_.empty() && waiting_.begin()->first <= end) run_next();
    now_ = end;
  }
  // Turns the clock to the next timer that counts. False: there is none.
  bool run_next() {
    while (!waiting_.empty()) {
      const auto node = waiting_.extract(waiting_.begin());
      const auto [alive, then] = node.mapped();
      if (alive.expired()) continue;
      now_ = std::max(now_, node.key());
      then();
      return true;
    }
    return false;
  }

 private:
  Clock::time_point now_{std::chrono::hours(1)};
  std::multimap<Clock::time_point, std::pair<std::weak_ptr<void>, std::function<void()>>> waiting_;
};

inline HttpOutcome answered(unsigned status, std::string body = "") {
  return {HttpOutcome::Kind::answered, status, {}, std::move(body), ""};
}
inline HttpOutcome lost() {
  return {HttpOutcome::Kind::lost, 0, {}, "", "the connection ended"};
}
inline HttpOutcome not_sent() {
  return {HttpOutcome::Kind::not_sent, 0, {}, "", "connection refused"};
}
inline HttpOutcome refused(unsigned status, const std::string& detail, const std::string& code = "") {
  return answered(status, R"({"errors":[{"status":)" + std::to_string(status) + R"(,"code":")" + code +
                              R"(","detail":")" + detail + R"("}]})");
}
inline HttpOutcome conflict(const std::string& detail) {
  return refused(409, detail, "placement.concurrent_update");
}

// Answers each call with the next of the script.
class ScriptedPlacement final : public PlacementApi {
 public:
  explicit ScriptedPlacement(ManualTimers& timers) : timers_(timers) {}

  void call(PlacementCall call, HttpDone done) override {
    calls.push_back(std::move(call));
    pending_.push_back(std::move(done));
  }

  void answer(HttpOutcome outcome) {
    const auto done = std::move(pending_.front());
    pending_.pop_front();
    done(std::move(outcome));
  }
  std::size_t pending() const { return pending_.size(); }

  // Runs calls and timers until nothing is left to do. The last answer of the script is repeated.
  void run(std::deque<HttpOutcome> script) {
    for (;;) {
      if (pending_.empty()) {
        if (!timers_.run_next()) return;
        continue;
      }
      const auto outcome = script.front();
      if (script.size() > 1) script.pop_front();
      answer(outcome);
    }
  }

  // "PUT GET PUT"
  std::string verbs() const {
    std::string words;
    for (const auto& call : calls) words += (words.empty() ? "" : " ") + call.verb;
    return words;
  }

  std::vector<PlacementCall> calls;

 private:
  ManualTimers& timers_;
  std::deque<HttpDone> pending_;
};

}  // namespace gantry::nova::testing
