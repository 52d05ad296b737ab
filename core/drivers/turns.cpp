// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/turns.hpp"

#include <algorithm>
#include <condition_variable>
#include <utility>

#include "core/drivers/turn_watch.hpp"

namespace gantry::drivers {
namespace {

using std::chrono::milliseconds;

// A driver that polls its deadline returns a little after it.
constexpr milliseconds grace{100};

// When a call with that deadline is given up.
Turns::TimePoint end_of_patience(Turns::TimePoint deadline) {
  return deadline < Turns::TimePoint::max() - grace ? deadline + grace : Turns::TimePoint::max();
}

milliseconds since(Turns::TimePoint then) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - then);
}

std::string seconds_text(milliseconds time) {
  const auto tenths = time.count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

// A turn that a thread waits for.
class AwaitedTurn final : public Turn {
 public:
  void come() override { set({}); }
  void lose(const Error& error) override { set(error); }
  void give_up(const Error& /*error*/) override {}

  Result<void> wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_decided_; });
    return outcome_;
  }

 private:
  void set(Result<void> outcome) {
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
    is_decided_ = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_decided_ = false;
  Result<void> outcome_;
};

}  // namespace

HangingCall Turn::as_hanging() const {
  return {std::string(operation_), std::string(request_id_), since(began_)};
}

// A call that look() has found.
struct Turns::Overdue {
  enum class Found { waiting, given_up, hanging, still_hanging } found;
  std::shared_ptr<Turn> turn;
  HangingCall call;
};

Turns::Turns(std::string driver, Bounds bounds, std::shared_ptr<telemetry::Logger> logger,
             std::shared_ptr<TurnWatch> watch)
    : driver_(std::move(driver)), bounds_(bounds), logger_(std::move(logger)), watch_(std::move(watch)) {
  watch_->add(*this);
}

Turns::~Turns() {
  watch_->remove(*this);
}

Result<Turns::Asked> Turns::ask(const std::shared_ptr<Turn>& turn, TimePoint deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (hanging_ >= bounds_.places) return refusal();
    turn->turns_ = this;
    turn->asked_ = std::chrono::steady_clock::now();
    turn->deadline_ = deadline;
    if (taken_ < bounds_.places) {
      ++taken_;
      turn->phase_ = Turn::Phase::granted;
      granted_.push_back(turn);
      return Asked::granted;
    }
    turn->phase_ = Turn::Phase::waiting;
    waiting_.push_back(turn);
  }
  watch_->look_by(deadline);
  return Asked::waits;
}

Result<std::shared_ptr<Turn>> Turns::wait(TimePoint deadline) {
  auto turn = std::make_shared<AwaitedTurn>();
  const auto asked = ask(turn, deadline);
  if (!asked) return asked.error();
  if (*asked == Asked::waits) {
    if (auto come = turn->wait(); !come) return std::move(come).error();
  }
  return std::shared_ptr<Turn>(std::move(turn));
}

void Turns::give_back(Turn& turn) {
  std::shared_ptr<Turn> next;
  {
    const std::lock_guard lock(mutex_);
    if (turn.turns_ != this || turn.phase_ != Turn::Phase::granted) return;
    turn.phase_ = Turn::Phase::over;
    std::erase_if(granted_, [&turn](const auto& each) { return each.get() == &turn; });
    next = free_place();
  }
  if (next) next->come();
}

bool Turns::enter(Turn& turn, std::string_view operation, std::string_view request_id, TimePoint deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (turn.turns_ != this || turn.phase_ != Turn::Phase::granted) return false;
    turn.phase_ = Turn::Phase::inside;
    turn.operation_ = operation;
    turn.request_id_ = request_id;
    turn.began_ = std::chrono::steady_clock::now();
    turn.deadline_ = deadline;
    times_.turn.observe(turn.began_ - turn.asked_);
  }
  watch_->look_by(end_of_patience(deadline));
  return true;
}

bool Turns::leave(Turn& turn) {
  const bool decides = turn.operation_ == "select_destinations" || turn.operation_ == "schedule_run_instance";
  (decides ? times_.decisions : times_.others).observe_since(turn.began_);
  std::shared_ptr<Turn> next;
  {
    const std::lock_guard lock(mutex_);
    turn.phase_ = Turn::Phase::over;
    if (turn.hangs_) --hanging_;
    std::erase_if(granted_, [&turn](const auto& each) { return each.get() == &turn; });
    next = free_place();
  }
  if (next) next->come();
  if (!turn.is_given_up()) return true;
  if (turn.hangs_) {
    log(telemetry::Level::warning, "a driver's call that was given up has returned, its result is dropped",
        turn.as_hanging());
  }
  turn.told_.wait(false);
  return false;
}

// Ends the turn of a call that is no longer granted or inside. Returns the next turn, which is granted. Turns whose
// deadline has passed are left to the watch.
std::shared_ptr<Turn> Turns::free_place() {
  --taken_;
  const auto now = std::chrono::steady_clock::now();
  const auto found = std::ranges::find_if(waiting_, [now](const auto& turn) { return now < turn->deadline_; });
  if (found == waiting_.end()) return nullptr;
  auto next = std::move(*found);
  waiting_.erase(found);
  ++taken_;
  next->phase_ = Turn::Phase::granted;
  granted_.push_back(next);
  return next;
}

void Turns::set_call_timeout(std::chrono::milliseconds timeout) {
  const std::lock_guard lock(mutex_);
  bounds_.call_timeout = timeout;
}

bool Turns::all_hang() const {
  const std::lock_guard lock(mutex_);
  return hanging_ >= bounds_.places;
}

std::size_t Turns::calls_inside() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(granted_, [](const auto& turn) { return turn->phase_ == Turn::Phase::inside; }));
}

std::size_t Turns::calls_waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::vector<HangingCall> Turns::hanging() const {
  std::vector<HangingCall> calls;
  const std::lock_guard lock(mutex_);
  for (const auto& turn : granted_) {
    if (turn->hangs_) calls.push_back(turn->as_hanging());
  }
  std::ranges::sort(calls, std::greater(), &HangingCall::age);
  return calls;
}

Error Turns::refusal() const {
  return {
      ErrorCode::unavailable,
      "driver '" + driver_ + "' is not called: expected at most " + std::to_string(bounds_.places) +
          " calls in it at a time, found " + std::to_string(hanging_) +
          " that do not return (see gantry status); it is called again once one of them returns, or after a restart",
      {}};
}

Error Turns::lost() const {
  const auto found = bounds_.places == 1
                         ? std::string("another call still running; the driver is serial")
                         : std::to_string(bounds_.places) + " calls still running, and no more may run at a time";
  return {ErrorCode::deadline_exceeded,
          "driver '" + driver_ + "': expected a turn before the deadline, found " + found,
          {}};
}

Turns::TimePoint Turns::look(TimePoint now) {
  std::vector<Overdue> overdue;
  auto again = TimePoint::max();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& turn : granted_) {
      if (turn->phase_ == Turn::Phase::inside) again = std::min(again, look_inside(turn, now, overdue));
    }
    std::erase_if(waiting_, [&](const auto& turn) {
      if (now < turn->deadline_) {
        again = std::min(again, turn->deadline_);
        return false;
      }
      turn->phase_ = Turn::Phase::over;
      overdue.push_back({Overdue::Found::waiting, turn, {}});
      return true;
    });
  }
  for (const auto& each : overdue) report(each);
  return again;
}

// Returns when to look at the call again.
Turns::TimePoint Turns::look_inside(const std::shared_ptr<Turn>& turn, TimePoint now, std::vector<Overdue>& overdue) {
  using Found = Overdue::Found;
  if (!turn->is_given_up()) {
    if (const auto due = end_of_patience(turn->deadline_); now < due) return due;
    turn->given_up_ = true;
    times_.given_up.fetch_add(1, std::memory_order_relaxed);
    overdue.push_back({Found::given_up, turn, turn->as_hanging()});
  }
  // A call that goes on hanging is reported when its age has doubled.
  const auto due = turn->began_ + (turn->hangs_ ? 2 * (turn->reported_ - turn->began_) : bounds_.call_timeout);
  if (now < due) return due;
  overdue.push_back({turn->hangs_ ? Found::still_hanging : Found::hanging, turn, turn->as_hanging()});
  if (!turn->hangs_) ++hanging_;
  turn->hangs_ = true;
  turn->reported_ = now;
  return now + (now - turn->began_);
}

void Turns::report(const Overdue& overdue) const {
  using Found = Overdue::Found;
  auto& turn = *overdue.turn;
  const auto& call = overdue.call;
  switch (overdue.found) {
    case Found::waiting: return turn.lose(lost());
    case Found::hanging:
      return log(telemetry::Level::error, "a driver's call has not returned by its deadline and is given up", call);
    case Found::still_hanging: return log(telemetry::Level::error, "a driver's call still does not return", call);
    case Found::given_up: break;
  }
  turn.give_up({ErrorCode::deadline_exceeded,
                "driver '" + driver_ + "', " + call.operation +
                    ": expected its return by the deadline, found it still running after " + seconds_text(call.age) +
                    " s; its result will be dropped",
                {}});
  turn.told_ = true;
  turn.told_.notify_all();
}

void Turns::log(telemetry::Level level, std::string_view message, const HangingCall& call) const {
  logger_->write(level, message,
                 {{"driver", driver_},
                  {"operation", call.operation},
                  {"request_id", call.request_id},
                  {"seconds", seconds_text(call.age)}});
}

}  // namespace gantry::drivers
