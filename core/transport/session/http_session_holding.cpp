// SPDX-License-Identifier: Apache-2.0
//
// How a session stands by while its connection may go to another process.
#include <boost/asio/post.hpp>

#include "core/transport/session/http_session.hpp"

namespace gantry::transport {

void HttpSession::hold() {
  held_ = Held::not_yet;
  boost::asio::post(strand_, [self = shared_from_this()] { self->begin_hold(); });
}

void HttpSession::hold_now() {
  boost::asio::post(strand_, [self = shared_from_this()] {
    if (!self->is_held_ || self->phase_ == Phase::ended) return;
    self->is_cut_ = true;
    self->proceed();
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

// The state that OpenSSL has of a connection cannot go to another process.
void HttpSession::begin_hold() {
  if (phase_ == Phase::ended) return;
  is_held_ = true;
  if (connection_.stream->is_tls()) {
    held_ = how_held();
    return begin_drain();
  }
  if (phase_ != Phase::handshake) proceed();
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
  if (connection_.stream->is_tls()) return Held::leaving;
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
