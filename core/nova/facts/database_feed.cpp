// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database_feed.hpp"

#include <algorithm>

#include "core/telemetry/utc_text.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds shortest_pause{1};
constexpr std::chrono::seconds longest_pause{30};

std::string text_of(std::chrono::system_clock::time_point time) {
  const auto text = telemetry::utc_text(time);
  return {text.data(), text.size()};
}

}  // namespace

DatabaseFeed::DatabaseFeed(Setup setup) : setup_(std::move(setup)), next_whole_(Clock::now()) {}

Result<void> DatabaseFeed::read_first(Connection connection) {
  connection_ = std::move(connection);
  const auto began = Clock::now();
  auto done = setup_.read(*connection_, Depth::whole);
  const std::lock_guard lock(mutex_);
  if (done) take(done, ++begun_, Depth::whole, began);
  return done;
}

void DatabaseFeed::set_away(const Error& error) {
  const std::lock_guard lock(mutex_);
  note_away(error);
}

void DatabaseFeed::begin() {
  thread_ = std::thread([this] { run(); });
}

void DatabaseFeed::ask_to_stop() {
  const std::lock_guard lock(mutex_);
  is_stopping_ = true;
  changed_.notify_all();
}

void DatabaseFeed::stop() {
  ask_to_stop();
  if (thread_.joinable()) thread_.join();
}

void DatabaseFeed::run() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    const auto now = Clock::now();
    if (const auto at = due(); at > now) {
      changed_.wait_until(lock, at);
      continue;
    }
    const auto depth = next_depth(now);
    const auto refresh = ++begun_;
    last_attempt_ = now;
    lock.unlock();
    const auto done = attempt(depth);
    lock.lock();
    take(done, refresh, depth, now);
  }
}

// A database that somebody waits for is tried each second.
DatabaseFeed::Clock::time_point DatabaseFeed::due() const {
  if (away_) return waiting_ == 0 ? next_attempt_ : std::min(next_attempt_, last_attempt_ + shortest_pause);
  return wanted_ > ended_ ? Clock::time_point() : next_whole_;
}

// A whole refresh keeps no caller waiting, unless whole refreshes have no other time left.
Depth DatabaseFeed::next_depth(Clock::time_point now) const {
  const bool is_overdue = now >= next_whole_ + setup_.whole_interval;
  return wanted_ > ended_ && !away_ && !is_overdue ? Depth::changes : Depth::whole;
}

// A server closes connections that were idle, or when it is restarted. The database is away only if a new connection does
// not help.
Result<void> DatabaseFeed::attempt(Depth depth) {
  const bool had_connection = connection_ && connection_->is_open();
  for (bool is_second = false;; is_second = true) {
    if (!connection_ || !connection_->is_open()) {
      auto opened = Connection::open(setup_.url, setup_.timeouts);
      if (!opened) return std::move(opened).error();
      connection_ = *std::move(opened);
    }
    auto done = setup_.read(*connection_, depth);
    if (done || connection_->is_open() || is_second || !had_connection ||
        done.error().code == ErrorCode::deadline_exceeded)
      return done;
  }
}

void DatabaseFeed::take(const Result<void>& done, std::uint64_t refresh, Depth depth, Clock::time_point began) {
  is_connected_ = connection_ && connection_->is_open();
  if (done) {
    const auto now = Clock::now();
    ended_ = refresh;
    last_refresh_ = now - began;
    if (depth == Depth::whole) next_whole_ = now + setup_.whole_interval;
    note_back();
  } else {
    note_away(done.error());
  }
  setup_.counters->add(done ? "nova_refreshes" : "nova_refreshes_failed", setup_.name, 1);
  changed_.notify_all();
}

void DatabaseFeed::note_away(const Error& error) {
  next_attempt_ = Clock::now() + pause_;
  pause_ = std::min(pause_ * 2, longest_pause);
  if (away_) {
    away_->error = error;
    return;
  }
  away_ = Away{std::chrono::system_clock::now(), error};
  setup_.logger->write(telemetry::Level::warning, "a database of Nova is away",
                       {{"database", setup_.name}, {"reason", error.message}});
}

void DatabaseFeed::note_back() {
  pause_ = shortest_pause;
  if (!away_) return;
  setup_.logger->write(telemetry::Level::info, "a database of Nova is back",
                       {{"database", setup_.name}, {"away_since", text_of(away_->since)}});
  away_.reset();
}

std::string DatabaseFeed::trouble_of(const Away& away) const {
  return setup_.name + ": away since " + text_of(away.since) + ": " + away.error.message;
}

std::uint64_t DatabaseFeed::ask() {
  const std::lock_guard lock(mutex_);
  wanted_ = std::max(wanted_, begun_ + 1);
  changed_.notify_all();
  return begun_ + 1;
}

Result<void> DatabaseFeed::wait(std::uint64_t refresh, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  if (away_) changed_.notify_all();
  const auto is_over = [&] { return ended_ >= refresh || is_stopping_ || (away_ && !setup_.is_needed); };
  const bool is_in_time = changed_.wait_until(lock, deadline, is_over);
  --waiting_;
  if (ended_ >= refresh) return {};
  if (is_stopping_ && setup_.is_needed) return Error{ErrorCode::unavailable, setup_.name + ": is no longer read", {}};
  if (is_in_time) return {};
  if (away_) return Error{ErrorCode::unavailable, trouble_of(*away_), {}};
  return Error{ErrorCode::unavailable,
               setup_.name + " (" + place_of(setup_.url) + "): has not answered by the deadline of the request",
               {}};
}

bool DatabaseFeed::has_read(std::uint64_t refresh) const {
  const std::lock_guard lock(mutex_);
  return ended_ >= refresh;
}

void DatabaseFeed::hurry() {
  const std::lock_guard lock(mutex_);
  next_whole_ = next_attempt_ = Clock::now();
  changed_.notify_all();
}

DatabaseFeed::Status DatabaseFeed::status() const {
  const std::lock_guard lock(mutex_);
  Status status{
      .is_connected = is_connected_ && !away_, .last_refresh = {}, .waiting = waiting_, .away_since = {}, .reason = {}};
  if (last_refresh_) status.last_refresh = std::chrono::duration_cast<std::chrono::milliseconds>(*last_refresh_);
  if (away_) {
    status.away_since = away_->since;
    status.reason = away_->error.message;
  }
  return status;
}

std::string DatabaseFeed::trouble() const {
  const std::lock_guard lock(mutex_);
  return away_ ? trouble_of(*away_) : std::string();
}

}  // namespace gantry::nova
