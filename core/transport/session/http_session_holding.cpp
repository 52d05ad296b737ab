// SPDX-License-Identifier: Apache-2.0
//
// How a session stands by while its connection may go to another process.
#include <boost/asio/post.hpp>
#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/session/http_session.hpp"

namespace gantry::transport {

void HttpSession::hold() {
  held_ = Held::not_yet;
  boost::asio::post(strand_, [self = shared_from_this()] { self->begin_hold(); });
}

void HttpSession::hold_now() {
  boost::asio::post(strand_, [self = shared_from_this()] {
    if (!self->is_held_ || self->phase_ == Phase::ended) return;
    const bool is_again = std::exchange(self->is_cut_, true);
    self->connection_.stream->is_tls() ? self->cut(is_again) : self->proceed();
  });
}

void HttpSession::release() {
  boost::asio::post(strand_, [self = shared_from_this()] {
    if (!self->is_held_ || self->phase_ == Phase::ended) return;
    self->is_held_ = self->is_cut_ = false;
    self->held_ = Held::not_yet;
    self->proceed();
  });
}

// The state that OpenSSL has of a connection cannot go to another process. So a connection over TLS ends after its last
// answer. One that has had no answer yet is given a while, since a client does not send its first request twice.
void HttpSession::begin_hold() {
  if (phase_ == Phase::ended) return;
  is_held_ = true;
  if (connection_.stream->is_tls()) {
    held_ = how_held();
    if (client_ == ClientClass::proven) begin_drain();
  } else if (phase_ != Phase::handshake) {
    proceed();
  }
}

// Ends a connection over TLS, unless a request is under way or bytes of the client wait to be read. A handshake has time
// until the second call.
void HttpSession::cut(bool is_again) {
  if (phase_ == Phase::handshake && (is_again || !connection_.stream->has_input())) return finish();
  if (phase_ == Phase::handshake) return;
  if (phase_ > Phase::draining || !answers_.is_empty() || first_call_) return;
  phase_ = Phase::draining;
  if (!is_reading_) return proceed();
  is_cancelled_ = true;
  connection_.stream->cancel();
}

// Its client knows then that nothing was done.
void HttpSession::refuse_part() {
  constexpr auto words = "another process takes over while the request arrives; send it again over a new connection";
  answer_and_close(error_answer({ErrorCode::unavailable, words, ""}, new_request_id()));
  proceed();
}

// A client that keeps the connection for later sees over TLS, too, that nothing was lost.
void HttpSession::end_idle() {
  if (!is_held_ || !connection_.stream->is_tls()) return finish();
  deadlines_.begin_closing(Clock::now());
  phase_ = Phase::closing;
  held_ = Held::leaving;
  connection_.stream->say_goodbye([self = shared_from_this()](StreamError, std::size_t) { self->finish(); });
  watch();
}

// A read may have brought a request though on_read() has not run yet. So the read is cancelled, and on_read() tells. The
// operation of a write under way would be cancelled, too.
void HttpSession::stand_by() {
  const bool is_within = !connection_.reader.is_empty();
  if (is_within && !is_cut_) {
    read();
  } else if (is_reading_ && !is_cancelled_ && !answers_.is_writing()) {
    is_cancelled_ = true;
    connection_.stream->cancel();
  }
  watch();
  held_ = how_held();
}

Connection::Held HttpSession::how_held() const {
  if (phase_ >= Phase::lingering) return Held::leaving;
  if (phase_ > Phase::draining || !answers_.is_empty() || first_call_) return Held::not_yet;
  if (connection_.stream->is_tls()) return Held::arriving;
  if (connection_.reader.is_empty()) return is_reading_ ? Held::not_yet : Held::ready;
  return is_cut_ && !is_reading_ ? Held::ready : Held::arriving;
}

std::optional<HandedConnection> HttpSession::handed() const {
  if (held_ != Held::ready) return std::nullopt;
  auto input = connection_.reader.unfinished();
  if (!input) return std::nullopt;
  HandedConnection connection{connection_.stream->duplicate(), *std::move(input)};
  if (!connection.descriptor.is_open()) return std::nullopt;
  return connection;
}

}  // namespace gantry::transport
