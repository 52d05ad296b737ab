// SPDX-License-Identifier: Apache-2.0
//
// Long polls: calls that wait until there is something to answer them with, until their time is up, or until the
// service stops.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gantry::scheduling {

// [any thread] The calls that wait for one owner, for example the event log. Their answers are made from the owner's
// data, which the owner's mutex guards. Declare the LongPoll behind that data: its destructor ends the thread that
// reads the data. Calls that still wait then get no answer.
class LongPoll {
 public:
  using Clock = std::chrono::steady_clock;
  // Sends the answer to one call. Called once, without the mutex.
  using Answer = std::function<void()>;
  // Looks for the answer to one call. Called with the mutex held, perhaps many times. Returns an empty function if the
  // call has to go on waiting. If `is_last`, the call waits no longer, and the result must be an answer, if only one
  // that says that there is nothing.
  using Look = std::function<Answer(Clock::time_point now, bool is_last)>;

  // `mutex` is the owner's. `recheck`: while a call waits, its Look is called at least this often.
  explicit LongPoll(std::mutex& mutex, Clock::duration recheck = std::chrono::hours(1));
  ~LongPoll();
  LongPoll(const LongPoll&) = delete;
  LongPoll& operator=(const LongPoll&) = delete;

  // Answers one call: on the calling thread if there is an answer already, else later on the thread of this object. The
  // call waits until `until` at most.
  void wait(Clock::time_point until, Look look);

  // Runs `change` with the mutex held. `change` changes the owner's data. Then the thread of this object calls the Look
  // of each waiting call.
  template <class Change>
  void change(const Change& change) {
    bool is_awaited = false;
    {
      const std::lock_guard lock(mutex_);
      change();
      is_awaited = !waiting_.empty();
    }
    if (is_awaited) changed_.notify_all();
  }

  // Answers every waiting call. Later calls wait as before.
  void end_waits();
  // Answers every waiting call. From now on wait() answers at once.
  void stop();

 private:
  struct Waiting {
    Clock::time_point until;
    Look look;
  };

  std::vector<Answer> take_answers(Clock::time_point now);
  Clock::time_point next_look(Clock::time_point now) const;
  void run();

  std::mutex& mutex_;
  const Clock::duration recheck_;
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  bool stopped_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gantry::scheduling
