// SPDX-License-Identifier: Apache-2.0
//
// The turns of the calls of one driver. Only so many calls run in a driver at a time: one in a serial driver. The
// others wait, without a thread if their owner wants that. A call that does not return in time is given up: its caller
// is answered, and its result is dropped when it returns at last. A call that was given up and has had the whole
// call_timeout hangs: operators hear of it.
//
//   asked -> waiting -> granted -> inside -> over
//            waiting -> lost       inside -> given up -> over
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/telemetry/log.hpp"
#include "core/telemetry/metrics/histogram.hpp"

namespace gantry::drivers {

class Turns;
class TurnWatch;

// How long calls of a driver take, and how many did not return in time. The members go on as calls do.
struct TurnTimes {
  telemetry::Histogram turn;               // a call's wait for its turn
  telemetry::Histogram decisions;          // inside the driver: select_destinations and schedule_run_instance
  telemetry::Histogram others;             // inside the driver: any other operation
  std::atomic<std::uint64_t> given_up{0};  // calls that had not returned by their deadline
};

// A call that hangs.
struct HangingCall {
  std::string operation;
  std::string request_id;
  std::chrono::milliseconds age;  // since the call entered the driver
};

// One call's turn. Its owner derives from it to hear what becomes of the turn. No member function may block.
class Turn {
 public:
  Turn() = default;
  virtual ~Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // The turn has come for a call that waited. The owner now makes the call, on a thread of its own: this one belongs to
  // another call.
  virtual void come() = 0;
  // The deadline passed while the call waited. come() will not be called.
  virtual void lose(const Error& error) = 0;
  // The deadline passed while the call was in the driver. The owner answers its caller with `error`. The call goes on.
  virtual void give_up(const Error& error) = 0;

  // Returns whether the call was given up. Its result must be dropped. Final once the call has left the driver.
  bool is_given_up() const { return given_up_.load(); }

 private:
  friend class Turns;
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Phase : std::uint8_t { asked, waiting, granted, inside, over };

  HangingCall as_hanging() const;

  Turns* turns_ = nullptr;
  Phase phase_ = Phase::asked;
  TimePoint asked_;     // when the call asked for its turn
  TimePoint deadline_;  // for the turn; from enter() on, for the call
  TimePoint began_;     // when the call entered the driver
  bool hangs_ = false;
  TimePoint reported_;  // when a log line last said that the call hangs
  std::string_view operation_;
  std::string_view request_id_;
  std::atomic<bool> given_up_{false};
  std::atomic<bool> told_{false};  // give_up() has returned
};

// [any thread]
class Turns {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Asked { granted, waits };

  struct Bounds {
    std::uint32_t places;                    // how many calls may run in the driver at a time
    std::chrono::milliseconds call_timeout;  // how long a call may run, though its caller may wait for less
  };
  Turns(std::string driver, Bounds bounds, std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<TurnWatch> watch);
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // Asks for a turn. Asked::waits: come() or lose() will be called. unavailable: every place holds a call that hangs.
  Result<Asked> ask(const std::shared_ptr<Turn>& turn, TimePoint deadline);
  // Asks for a turn and waits for it on this thread. deadline_exceeded: the turn has not come in time.
  Result<std::shared_ptr<Turn>> wait(TimePoint deadline);
  // Gives back a granted turn whose call has not entered the driver. Otherwise nothing happens.
  void give_back(Turn& turn);

  // The call enters the driver. The texts must live until leave(). False: the turn was not granted by this object, or
  // is over.
  bool enter(Turn& turn, std::string_view operation, std::string_view request_id, TimePoint deadline);
  // The call has left the driver, and the turn is over. False: the call was given up meanwhile, and its owner told.
  bool leave(Turn& turn);

  // Sets Bounds::call_timeout from now on.
  void set_call_timeout(std::chrono::milliseconds timeout);

  // Returns whether each place holds a call that hangs, so that ask() refuses.
  bool all_hang() const;
  std::size_t calls_inside() const;
  std::size_t calls_waiting() const;  // for their turn
  TurnTimes& times() { return times_; }
  std::vector<HangingCall> hanging() const;  // the longest first

  // Gives up the calls inside whose deadline has passed for a while, and takes the turn from waiting calls whose
  // deadline has passed. Returns when to look again. Called by the watch.
  TimePoint look(TimePoint now);

 private:
  struct Overdue;

  std::shared_ptr<Turn> free_place();
  Error refusal() const;
  Error lost() const;
  TimePoint look_inside(const std::shared_ptr<Turn>& turn, TimePoint now, std::vector<Overdue>& overdue);
  void report(const Overdue& overdue) const;
  void log(telemetry::Level level, std::string_view message, const HangingCall& call) const;

  const std::string driver_;
  Bounds bounds_;  // places never changes; call_timeout is guarded by mutex_
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<TurnWatch> watch_;
  TurnTimes times_;
  mutable std::mutex mutex_;
  std::uint32_t taken_ = 0;    // places of calls that are granted or inside
  std::uint32_t hanging_ = 0;  // calls inside that hang
  std::deque<std::shared_ptr<Turn>> waiting_;
  std::vector<std::shared_ptr<Turn>> granted_;  // granted or inside
};

}  // namespace gantry::drivers
