// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/long_poll.hpp"

#include <algorithm>
#include <utility>

namespace gantry::scheduling {

LongPoll::LongPoll(std::mutex& mutex, Clock::duration recheck)
    : mutex_(mutex), recheck_(recheck), thread_([this] { run(); }) {}

LongPoll::~LongPoll() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LongPoll::wait(Clock::time_point until, Look look) {
  Answer answer;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    answer = look(now, stopped_ || until <= now);
    if (!answer) waiting_.push_back({until, std::move(look)});
  }
  if (answer)
    answer();
  else
    changed_.notify_all();
}

void LongPoll::end_waits() {
  {
    const std::lock_guard lock(mutex_);
    for (auto& call : waiting_) call.until = Clock::time_point::min();
  }
  changed_.notify_all();
}

void LongPoll::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

std::vector<LongPoll::Answer> LongPoll::take_answers(Clock::time_point now) {
  std::vector<Answer> answers;
  std::erase_if(waiting_, [&](Waiting& call) {
    auto answer = call.look(now, stopped_ || call.until <= now);
    if (!answer) return false;
    answers.push_back(std::move(answer));
    return true;
  });
  return answers;
}

LongPoll::Clock::time_point LongPoll::next_look(Clock::time_point now) const {
  auto next = now + recheck_;
  for (const auto& call : waiting_) next = std::min(next, call.until);
  return next;
}

void LongPoll::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto now = Clock::now();
    auto answers = take_answers(now);
    if (!answers.empty()) {
      lock.unlock();
      for (const auto& answer : answers) answer();
      answers.clear();
      lock.lock();
    } else if (waiting_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, next_look(now));
    }
  }
}

}  // namespace gantry::scheduling
