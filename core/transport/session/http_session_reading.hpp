// SPDX-License-Identifier: Apache-2.0
//
// Members of HttpSession: how it begins, and from bytes to a head and a body. Included by http_session.hpp only.
#pragma once

namespace gantry::transport {

// How long one connection may go on with requests that it has sent ahead while others wait.
inline constexpr std::chrono::microseconds longest_turn{100};

template <class Stream>
void HttpSession<Stream>::begin() {
  if constexpr (is_tls<Stream>) {
    handshaking_ = true;
    request_began_ = Clock::now();
    stream_.async_handshake(boost::asio::ssl::stream_base::server,
                            [self = this->shared_from_this()](ErrorCodeOf error) {
                              self->handshaking_ = false;
                              if (self->ended_) return;
                              if (error) return self->finish();
                              self->last_activity_ = Clock::now();
                              self->read();
                            });
    watch();
  } else {
    read();
  }
}

// Before the handshake there is no way to say anything over TLS.
template <class Stream>
void HttpSession<Stream>::refuse_connection() {
  if (is_tls<Stream>) return finish();
  answer_and_close(
      error_answer(Error{ErrorCode::unavailable,
                         "expected at most " + std::to_string(door_.most_connections) +
                             " connections at a time (server.max_connections), found one more; try again later",
                         ""},
                   "req-" + to_text(random_uuid())));
}

template <class Stream>
void HttpSession<Stream>::read() {
  if (reading_ || ended_ || (!may_take_request() && !lingering_) || !take_seat()) return watch();
  if (comes_in_crumbs() && !take_crumbs_room()) return;
  reading_ = true;
  if (const auto time = rest(); time.count() > 0) {
    rest_timer_.expires_after(time);
    rest_timer_.async_wait([self = this->shared_from_this()](ErrorCodeOf) {
      if (!self->ended_) self->read_some();
    });
  } else {
    read_some();
  }
  watch();
}

// Moves the socket to where the kernel's news of it reach the threads that serve it. False: not while it writes, or it
// has ended.
template <class Stream>
bool HttpSession<Stream>::take_seat() {
  auto& socket = boost::beast::get_lowest_layer(stream_);
  const auto seat = lane_.standing();
  if (socket.get_executor().seat() == seat) return true;
  if (writing_) return false;
  ErrorCodeOf error;
  std::decay_t<decltype(socket)> moved(socket.get_executor().seated(seat));
  const auto protocol = socket.local_endpoint(error).protocol();
  Descriptor descriptor(error ? -1 : socket.release(error));
  if (!error) moved.assign(protocol, descriptor.number(), error);
  if (error) return finish(), false;
  descriptor.release();
  moved.non_blocking(true, error);
  if (error) return finish(), false;
  socket = std::move(moved);
  return true;
}

template <class Stream>
void HttpSession<Stream>::read_some() {
  // Of a unix socket each crumb costs by itself.
  const std::size_t wanted = comes_in_crumbs() ? 64 : head_seen_ ? 64 * 1024 : 8 * 1024;
  stream_.async_read_some(buffer_.prepare(wanted),
                          Continuation{[self = this->shared_from_this(), wanted](ErrorCodeOf error, std::size_t size) {
                            if (size < std::min(small_read, wanted))
                              ++self->small_reads_;
                            else
                              self->small_reads_ = 0;
                            self->on_read(error, size);
                          }});
}

// Who sends a request in crumbs is read ever more seldom: each read costs the same, whatever it brings. What nobody will
// take is not hurried for either.
template <class Stream>
std::chrono::milliseconds HttpSession<Stream>::rest() const {
  if (comes_in_crumbs()) return longer_each_time(small_reads_ - crumbs);
  return lingering_ && denials_ > context_.limits.free_denials ? context_.limits.rest : std::chrono::milliseconds();
}

template <class Stream>
std::chrono::milliseconds HttpSession<Stream>::longer_each_time(unsigned before) const {
  constexpr unsigned most_doublings = 6;
  return std::min(context_.limits.rest, std::chrono::milliseconds(2 << std::min(before, most_doublings)));
}

// Who may not ask and asks on is taken ever more seldom.
template <class Stream>
bool HttpSession<Stream>::rests_after_denial() {
  const auto free = context_.limits.free_denials;
  if (denials_ <= free || !may_take_request()) return false;
  resting_ = true;
  rest_timer_.expires_after(longer_each_time(denials_ - free - 1));
  rest_timer_.async_wait([self = this->shared_from_this()](ErrorCodeOf) {
    self->resting_ = false;
    if (!self->ended_) self->process();
  });
  return true;
}

template <class Stream>
void HttpSession<Stream>::on_read(ErrorCodeOf error, std::size_t size) {
  reading_ = false;
  if (ended_) return;
  if (error == boost::asio::error::operation_aborted && draining_) return end_if_silent();
  if (error) {
    // The client has said its last word, or is gone; it may still wait for answers.
    input_closed_ = true;
    unread_input_ = false;
    if (lingering_ || slots_.empty()) return finish();
    return watch();
  }
  last_activity_ = Clock::now();
  if (lingering_) return read();
  buffer_.commit(size);
  process();
}

// Each such request keeps the kernel busy for longer than it takes to read it, so there is a bound on them.
template <class Stream>
bool HttpSession<Stream>::take_crumbs_room() {
  if (crumbs_room_.granted()) return true;
  crumbs_room_ = Room(context_.connections, Bounded::requests_in_crumbs, 1, context_.limits.requests_in_crumbs);
  if (crumbs_room_.granted()) return true;
  answer_and_close(error_answer(Error{ErrorCode::unavailable,
                                      "expected at most " + std::to_string(context_.limits.requests_in_crumbs) +
                                          " requests at a time that arrive in pieces of less than " +
                                          std::to_string(small_read) + " bytes, found one more; try again later",
                                      ""},
                                "req-" + to_text(random_uuid())));
  return false;
}

template <class Stream>
void HttpSession<Stream>::process() {
  if (reading_) {  // it has a place in the buffer, and all before it has been taken
    watch();
    if (draining_) begin_drain();
    return;
  }
  processing_ = true;
  const auto end_of_turn = Clock::now() + longest_turn;
  while (may_take_request() && buffer_.size() > 0 && parse()) {
    if (rests_after_denial()) break;
    if (Clock::now() < end_of_turn || buffer_.size() == 0) continue;
    processing_ = false;
    return boost::asio::post(strand_, [self = this->shared_from_this()] { self->process(); });
  }
  processing_ = false;
  if (buffer_.size() == 0 && buffer_.capacity() > 256 * 1024) buffer_.shrink_to_fit();
  read();
  if (draining_) begin_drain();
}

// False: more bytes are needed, or none will be taken any more.
template <class Stream>
bool HttpSession<Stream>::parse() {
  if (!parser_) {
    const auto bytes = static_cast<const char*>(buffer_.data().data());
    if (*bytes == '\r' || *bytes == '\n') {  // RFC 9112 2.2: an empty line before a request is nothing
      buffer_.consume(1);
      return true;
    }
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(context_.settings.max_header_bytes));
    parser_->body_limit(context_.settings.max_body_bytes);
    head_seen_ = false;
    head_bytes_ = 0;
    refusal_.reset();
    request_began_ = Clock::now();
  }
  ErrorCodeOf error = take_bytes();
  if (!error && !head_seen_ && parser_->is_header_done() && !parser_->is_done()) {
    parser_->eager(true);
    if (buffer_.size() > 0) error = take_bytes();
  }
  if (error) {
    refuse_bytes(error);
    return false;
  }
  if (!head_seen_ && parser_->is_header_done()) {
    head_seen_ = true;
    on_head();
  }
  if (input_closed_ || !parser_->is_done()) return false;
  take_request();
  return true;
}

// The parser's own limit is for what it is given at a time: it would take a head without end in small pieces.
template <class Stream>
typename HttpSession<Stream>::ErrorCodeOf HttpSession<Stream>::take_bytes() {
  namespace http = boost::beast::http;
  if (parser_->is_header_done()) return take_body_bytes();
  ErrorCodeOf error;
  const std::size_t taken = parser_->put(buffer_.data(), error);
  buffer_.consume(taken);
  if (error == http::error::need_more) error = {};
  if (error) return error;
  head_bytes_ += taken;
  const auto most = context_.settings.max_header_bytes;
  const bool too_long = parser_->is_header_done() ? head_bytes_ > most : head_bytes_ + buffer_.size() >= most;
  return too_long ? ErrorCodeOf(http::error::header_limit) : error;
}

// The parser takes the header of a chunk, and the last one with all trailers, only as a whole, and has no limit for
// them. It is never shown more than the limit at a time, so that what is refused does not depend on the pieces in which
// it comes.
template <class Stream>
typename HttpSession<Stream>::ErrorCodeOf HttpSession<Stream>::take_body_bytes() {
  namespace http = boost::beast::http;
  const bool is_chunked = parser_->chunked();
  const std::size_t most = is_chunked ? context_.settings.max_header_bytes : buffer_.max_size();
  // Each chunked body ends with five bytes that are taken as one; of a part of them the parser expects no second look.
  const std::size_t least = is_chunked ? 5 : 1;
  ErrorCodeOf error;
  while (!error && !parser_->is_done() && buffer_.size() >= least) {
    const std::size_t shown = std::min(buffer_.size(), most);
    const std::size_t taken = parser_->put(boost::asio::buffer(buffer_.data(), shown), error);
    buffer_.consume(taken);
    if (error != http::error::need_more) continue;
    error = {};
    if (taken > 0) continue;
    return shown < most ? error : ErrorCodeOf(http::error::buffer_overflow);
  }
  return error;
}

}  // namespace gantry::transport
