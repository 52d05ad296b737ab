// SPDX-License-Identifier: Apache-2.0
//
// Callers that wait for one answer, each until its own deadline.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "core/nova/http/timers.hpp"

namespace gantry::nova {

// [strand]
template <class Answer>
class Waiters {
 public:
  using Done = std::function<void(Answer)>;

  explicit Waiters(Timers& timers) : timers_(&timers) {}

  // Calls `done` once: with the common answer, or with `late` if the deadline comes first.
  void add(Clock::time_point deadline, Answer late, Done done) {
    const auto number = ++last_;
    auto timer = timers_->at(deadline, [this, number, late = std::move(late)]() mutable {
      auto node = waiting_.extract(number);
      if (!node.empty()) node.mapped().done(std::move(late));
    });
    waiting_.emplace(number, Waiter{std::move(done), std::move(timer)});
  }

  void answer(const Answer& answer) {
    // A caller may ask again from inside of its callback.
    for (auto& [number, waiter] : std::exchange(waiting_, {})) {
      waiter.timer.reset();
      waiter.done(answer);
    }
  }

  bool is_empty() const { return waiting_.empty(); }

 private:
  struct Waiter {
    Done done;
    Timers::Handle timer;
  };

  Timers* timers_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Waiter> waiting_;
};

}  // namespace gantry::nova
