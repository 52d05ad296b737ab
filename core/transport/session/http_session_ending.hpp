// SPDX-License-Identifier: Apache-2.0
//
// Members of HttpSession: its end, wanted or by a deadline. Included by http_session.hpp only.
#pragma once

namespace gantry::transport {

// A read may have brought a request already though its handler has not run: so the read is cancelled, and on_read sees
// whether it did.
template <class Stream>
void HttpSession<Stream>::begin_drain() {
  draining_ = true;
  if (handshaking_) return finish();
  if (ended_ || lingering_ || !slots_.empty() || parser_ || buffer_.size() > 0) return;
  if (!reading_) return end_if_silent();
  ErrorCodeOf ignored;
  boost::beast::get_lowest_layer(stream_).cancel(ignored);
}

template <class Stream>
void HttpSession<Stream>::end_if_silent() {
  ErrorCodeOf error;
  if (boost::beast::get_lowest_layer(stream_).available(error) == 0 || error) return finish();
  read();
}

// Closing while the client still sends would take the answer from it, so what it sends is read for a while.
template <class Stream>
void HttpSession<Stream>::end_or_linger() {
  if (!unread_input_) return say_goodbye();
  ErrorCodeOf error;
  boost::beast::get_lowest_layer(stream_).shutdown(boost::asio::socket_base::shutdown_send, error);
  if (error) return finish();
  lingering_ = true;
  linger_until_ = Clock::now() + context_.limits.linger;
  buffer_.clear();
  read();
}

// Over TLS the end is told, so that nobody takes a cut connection for it.
template <class Stream>
void HttpSession<Stream>::say_goodbye() {
  if constexpr (is_tls<Stream>) {
    if (lingering_) return;
    lingering_ = true;
    linger_until_ = Clock::now() + context_.limits.linger;
    stream_.async_shutdown([self = this->shared_from_this()](ErrorCodeOf) { self->finish(); });
    watch();
  } else {
    finish();
  }
}

template <class Stream>
void HttpSession<Stream>::finish() {
  if (ended_) return;
  ended_ = true;
  timer_.cancel();
  rest_timer_.cancel();
  ErrorCodeOf ignored;
  boost::beast::get_lowest_layer(stream_).close(ignored);
  context_.connections->remove(this);
}

template <class Stream>
typename HttpSession<Stream>::Clock::time_point HttpSession<Stream>::read_deadline() const {
  if (lingering_) return linger_until_;
  if (handshaking_) return request_began_ + context_.settings.receive_timeout;
  if (!reading_) return Clock::time_point::max();
  if (parser_) return request_began_ + context_.settings.receive_timeout;
  return slots_.empty() ? last_activity_ + context_.settings.idle_timeout : Clock::time_point::max();
}

// Most deadlines only move away; the timer is touched again when it fires, not at each request.
template <class Stream>
void HttpSession<Stream>::watch() {
  if (ended_) return;
  deadline_ = read_deadline();
  if (writing_) deadline_ = std::min(deadline_, write_progress_ + context_.limits.write);
  if (deadline_ < armed_) arm(deadline_);
}

template <class Stream>
void HttpSession<Stream>::arm(Clock::time_point when) {
  armed_ = when;
  timer_.expires_at(when);
  timer_.async_wait([self = this->shared_from_this()](ErrorCodeOf error) {
    if (error || self->ended_) return;
    self->armed_ = Clock::time_point::max();
    self->watch();
    if (self->deadline_ <= Clock::now()) self->on_timeout();
  });
}

template <class Stream>
void HttpSession<Stream>::on_timeout() {
  const bool stalled = writing_ && write_progress_ + context_.limits.write <= Clock::now();
  if (stalled || lingering_ || !parser_) return finish();
  const auto seconds = std::chrono::duration<double>(context_.settings.receive_timeout).count();
  answer_and_close(error_answer(Error{ErrorCode::invalid_argument,
                                      "expected the whole request within " + std::to_string(seconds) +
                                          " s of its first byte, found it unfinished",
                                      ""},
                                "req-" + to_text(random_uuid()), 408));
}

}  // namespace gantry::transport
