// SPDX-License-Identifier: Apache-2.0
//
// How a session begins, goes on and ends. http_session_requests.cpp and http_session_answers.cpp hold the rest.
#include "core/transport/session/http_session.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "core/transport/api/http_answer.hpp"

namespace gantry::transport {

HttpConnection HttpSession::new_connection(std::unique_ptr<ByteStream> stream, const Endpoint& endpoint,
                                           std::unique_ptr<Seats::Seat> seat, std::string peer,
                                           const HttpSessionContext& context) {
  return {std::move(stream),
          &endpoint,
          std::move(seat),
          {},
          std::move(peer),
          RequestReader({context.settings.max_header_bytes, context.settings.max_body_bytes}),
          ClientPacing(context.limits)};
}

HttpSession::HttpSession(HttpConnection connection, const HttpSessionContext& context, ClientClass client)
    : connection_(std::move(connection)),
      context_(context),
      client_(client),
      strand_(connection_.stream->strand()),
      deadline_timer_(strand_),
      pause_timer_(strand_),
      deadlines_({context.settings.receive_timeout, context.settings.idle_timeout, context.limits.write,
                  context.limits.least_write_rate, context.limits.linger},
                 Clock::now()) {}

template <class Step>
void HttpSession::post(Step step) {
  boost::asio::post(strand_, [self = shared_from_this(), step = std::move(step)]() mutable { step(*self); });
}

void HttpSession::start() {
  connection_.seat->belong_to(weak_from_this());
  post([](HttpSession& self) { self.begin(); });
}

void HttpSession::drain() {
  post([](HttpSession& self) { self.begin_drain(); });
}

void HttpSession::abandon() {
  post([](HttpSession& self) { self.finish(); });
}

void HttpSession::start_refusing() {
  post([](HttpSession& self) {
    if (self.connection_.stream->is_tls()) return self.finish();  // no text can be sent before the handshake
    self.answer_and_close(
        error_answer(Error{ErrorCode::unavailable,
                           "expected at most " + std::to_string(self.connection_.endpoint->seats->most()) +
                               " connections at a time (server.max_connections), found one more; try again later",
                           ""},
                     new_request_id()));
    self.proceed();
  });
}

// A manager that answers at once calls this inside of take_request(), on the strand. Then proceed() goes on there.
void HttpSession::deliver(std::uint64_t number, Outcome outcome) {
  if (strand_.running_in_this_thread()) return take(number, std::move(outcome));
  {
    std::unique_lock lock(inbox_mutex_);
    if (const auto successor = successor_.lock()) {
      lock.unlock();
      return successor->deliver(number, std::move(outcome));
    }
    inbox_.emplace_back(number, std::move(outcome));
  }
  post_inbox();
  if (deciding_ != deciding(number)) return;
  boost::asio::post(context_.pools.pool(ClientClass::proven).context(),
                    [self = shared_from_this(), number] { self->go_on_elsewhere(number); });
}

void HttpSession::take(std::uint64_t number, Outcome outcome) {
  if (waits_for_turn_ == number) waits_for_turn_.reset();
  auto* const slot = answers_.find(number);
  if (slot != nullptr && phase_ < Phase::lingering) fill(*slot, std::move(outcome));
}

void HttpSession::post_inbox() {
  post([](HttpSession& self) {
    std::vector<std::pair<std::uint64_t, Outcome>> answers;
    {
      const std::lock_guard lock(self.inbox_mutex_);
      answers.swap(self.inbox_);
    }
    for (auto& [number, outcome] : answers) self.take(number, std::move(outcome));
    self.proceed();
  });
}

void HttpSession::begin() {
  deadlines_.begin(Clock::now());
  connection_.stream->handshake([self = shared_from_this()](StreamError error, std::size_t) {
    if (self->phase_ != Phase::handshake) return;
    if (error) return self->finish();
    self->phase_ = self->is_cut_ ? Phase::draining : Phase::open;
    self->deadlines_.note_activity(Clock::now());
    self->proceed();
  });
  watch();
}

// Takes requests, sends answers and reads on, as far as possible without waiting. Called after each event. Yields to
// other connections after a time slice when many requests are pipelined.
void HttpSession::proceed() {
  constexpr std::chrono::microseconds time_slice{100};
  context_.pools.note_step(client_);
  const auto end_of_slice = Clock::now() + time_slice;
  while (take_request() || write()) {
    if (phase_ == Phase::ended) return;
    if (connection_.reader.is_empty() || Clock::now() < end_of_slice) continue;
    write();
    return post([](HttpSession& self) { self.proceed(); });
  }
  if (phase_ == Phase::ended) return;
  const bool is_tls = connection_.stream->is_tls();
  if (phase_ == Phase::draining && !is_reading_ && answers_.is_empty() && !first_call_) {
    if (!connection_.reader.is_empty() && is_cut_ && is_tls) return refuse_part();
    if (connection_.reader.is_empty() && !connection_.stream->has_input()) return end_idle();
  }
  if (is_held_ && !is_tls) return stand_by();
  if (is_held_) held_ = how_held();
  read();
  watch();
}

bool HttpSession::takes_requests() const {
  return (phase_ == Phase::open || phase_ == Phase::draining) && !first_call_ && !is_paused_ && !waits_for_turn_ &&
         answers_.size() < context_.limits.pipelined_requests && answers_.unsent_bytes() < context_.limits.unsent_bytes;
}

// Whether no request has begun to arrive and no answer is due.
bool HttpSession::is_idle() const {
  return answers_.is_empty() && connection_.reader.is_empty() && !first_call_;
}

bool HttpSession::pause_if_due() {
  const auto pause = connection_.pacing.take_pause();
  if (pause.count() == 0) return false;
  is_paused_ = true;
  pause_timer_.expires_after(pause);
  pause_timer_.async_wait([self = shared_from_this()](StreamError) {
    self->is_paused_ = false;
    self->proceed();
  });
  return true;
}

void HttpSession::read() {
  if (is_reading_ || !(takes_requests() || phase_ == Phase::lingering) || pause_if_due()) return;
  // The kernel keeps each small piece of a unix socket's input apart, so that a short read costs less.
  const std::size_t wanted = connection_.pacing.has_small_reads()  ? 64
                             : connection_.reader.is_within_body() ? 64 * 1024
                                                                   : 8 * 1024;
  is_reading_ = true;
  const auto memory = connection_.reader.prepare(wanted);
  connection_.stream->read_some(
      {memory.data(), memory.size()},
      [self = shared_from_this(), wanted](StreamError error, std::size_t size) { self->on_read(error, size, wanted); });
}

void HttpSession::on_read(StreamError error, std::size_t size, std::size_t wanted) {
  is_reading_ = false;
  const bool is_cancelled = std::exchange(is_cancelled_, false);
  if (phase_ >= Phase::closing) return;
  if (error == boost::asio::error::operation_aborted && (is_cancelled || phase_ == Phase::draining)) return proceed();
  if (error) {
    // The client has ended its input, or is gone. It may still wait for answers.
    if (phase_ == Phase::lingering || answers_.is_empty()) return finish();
    phase_ = std::max(phase_, Phase::answering);
    return proceed();
  }
  deadlines_.note_activity(Clock::now());
  if (phase_ < Phase::lingering) {
    connection_.pacing.note_read(size, wanted);
    connection_.reader.commit(size);
  }
  proceed();
}

// A read may have brought a request though on_read() has not run yet. So the read is cancelled, and proceed() decides.
void HttpSession::begin_drain() {
  if (phase_ == Phase::handshake) return finish();
  if (phase_ == Phase::open) phase_ = Phase::draining;
  if (phase_ != Phase::draining || !is_idle()) return;
  if (is_reading_) return connection_.stream->cancel();
  proceed();
}

// Closing while the client still sends would make the kernel drop the answer. So the client's input is read for a
// while.
void HttpSession::end_or_linger() {
  deadlines_.begin_closing(Clock::now());
  if (phase_ != Phase::refusing) {
    phase_ = Phase::closing;
    return connection_.stream->say_goodbye([self = shared_from_this()](StreamError, std::size_t) { self->finish(); });
  }
  phase_ = Phase::lingering;
  connection_.reader.discard();
  if (!connection_.stream->end_output()) finish();
}

void HttpSession::finish() {
  if (phase_ == Phase::ended) return;
  phase_ = Phase::ended;
  held_ = Held::leaving;
  deadline_timer_.cancel();
  pause_timer_.cancel();
  connection_.stream->close();
  forget_unsent();
  context_.connections->remove(this);
}

Deadlines::Awaited HttpSession::awaited() const {
  using Awaited = Deadlines::Awaited;
  if (phase_ == Phase::handshake) return Awaited::handshake;
  if (phase_ >= Phase::lingering) return Awaited::end;
  if (!is_reading_ && !is_paused_) return Awaited::nothing;
  if (connection_.reader.is_within_request()) return Awaited::request;
  return answers_.is_empty() ? Awaited::next_request : Awaited::nothing;
}

// Most deadlines only move further away. So the timer is set again when it fires, not for each request.
void HttpSession::watch() {
  if (phase_ == Phase::ended) return;
  const auto next = deadlines_.next(awaited(), answers_.is_writing());
  if (next >= armed_) return;
  armed_ = next;
  deadline_timer_.expires_at(next);
  deadline_timer_.async_wait([self = shared_from_this()](StreamError error) {
    if (error || self->phase_ == Phase::ended) return;
    self->armed_ = Clock::time_point::max();
    if (self->deadlines_.next(self->awaited(), self->answers_.is_writing()) <= Clock::now()) self->on_timeout();
    self->watch();
  });
}

void HttpSession::on_timeout() {
  const bool is_stalled = answers_.is_writing() && deadlines_.is_write_stalled(Clock::now());
  if (is_stalled || phase_ >= Phase::lingering || !connection_.reader.is_within_request()) return finish();
  const auto seconds = std::chrono::duration<double>(context_.settings.receive_timeout).count();
  answer_and_close(error_answer(Error{ErrorCode::invalid_argument,
                                      "expected the whole request within " + std::to_string(seconds) +
                                          " s of its first byte, found it unfinished",
                                      ""},
                                new_request_id(), 408));
  proceed();
}

}  // namespace gantry::transport
