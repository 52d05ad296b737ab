// SPDX-License-Identifier: Apache-2.0
//
// The members of HttpSession; included by http_session.hpp only.
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
  if (reading_ || ended_ || (!may_take_request() && !lingering_)) return watch();
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

template <class Stream>
void HttpSession<Stream>::read_some() {
  const std::size_t wanted = head_seen_ ? 64 * 1024 : 8 * 1024;
  stream_.async_read_some(buffer_.prepare(wanted),
                          Continuation{[self = this->shared_from_this()](ErrorCodeOf error, std::size_t size) {
                            self->on_read(error, size);
                          }});
}

// Who sends a request in crumbs is read ever more seldom: each read costs the same, whatever it brings.
template <class Stream>
std::chrono::milliseconds HttpSession<Stream>::rest() const {
  constexpr unsigned most_doublings = 7;
  if (!parser_ || small_reads_ < 3) return {};
  return std::min(context_.limits.rest, std::chrono::milliseconds(1 << std::min(small_reads_ - 2, most_doublings)));
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
  constexpr std::size_t small = 256;
  small_reads_ = size < small ? small_reads_ + 1 : 0;
  buffer_.commit(size);
  process();
}

template <class Stream>
void HttpSession<Stream>::process() {
  if (reading_) return watch();  // the read has a place in the buffer, and all before it has been taken
  const auto end_of_turn = Clock::now() + longest_turn;
  while (may_take_request() && buffer_.size() > 0 && parse()) {
    if (Clock::now() < end_of_turn || buffer_.size() == 0) continue;
    return boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->process(); });
  }
  if (buffer_.size() == 0 && buffer_.capacity() > 256 * 1024) buffer_.shrink_to_fit();
  read();
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
  const bool in_head = !parser_->is_header_done();
  ErrorCodeOf error;
  const std::size_t taken = parser_->put(buffer_.data(), error);
  buffer_.consume(taken);
  if (error == http::error::need_more) error = {};
  if (error || !in_head) return error;
  head_bytes_ += taken;
  const auto most = context_.settings.max_header_bytes;
  const bool too_long = parser_->is_header_done() ? head_bytes_ > most : head_bytes_ + buffer_.size() >= most;
  return too_long ? ErrorCodeOf(http::error::header_limit) : error;
}

template <class Stream>
HttpRequest HttpSession<Stream>::head_of_request() const {
  namespace http = boost::beast::http;
  const auto& message = parser_->get();
  const auto field = [&message](auto name) { return std::string(message[name]); };
  HttpRequest request;
  request.verb = std::string(message.method_string());
  request.target = std::string(message.target());
  request.content_type = field(http::field::content_type);
  request.request_id = field("X-Request-Id");
  if (request.request_id.empty()) request.request_id = field("X-Openstack-Request-Id");
  request.idempotency_key = field("Idempotency-Key");
  request.timeout_ms = field("X-Timeout-Ms");
  request.has_length = parser_->chunked() || message.find(http::field::content_length) != message.end();
  request.peer = peer_;
  return request;
}

// Who may not call is told so before the body is read, and is not read on: its body is nobody's to wait for.
template <class Stream>
void HttpSession<Stream>::on_head() {
  admit();
  if (!refusal_ && !reserve_body()) {
    refusal_ = error_answer(
        Error{ErrorCode::unavailable,
              "the bodies that are being received take all the room there is for them; try again later", ""},
        "req-" + to_text(random_uuid()));
  }
  if (parser_->is_done()) return;
  if (refusal_) return answer_and_close(*std::exchange(refusal_, std::nullopt));
  const auto& message = parser_->get();
  if (!boost::beast::iequals(message[boost::beast::http::field::expect], "100-continue")) return;
  if (message.version() < 11) return;
  if (auto refusal = context_.routes.refuse_head(head_of_request())) return answer_and_close(std::move(*refusal));
  Slot& slot = add_slot("", ConnectionToken::none);
  slot.head = "HTTP/1.1 100 Continue\r\n\r\n";
  slot.ready = true;
  unsent_bytes_ += slot.head.size();
  write();
}

template <class Stream>
void HttpSession<Stream>::admit() {
  const auto& message = parser_->get();
  const std::string_view authorization = message[boost::beast::http::field::authorization];
  caller_.reset();
  if (authorization.empty() && !door_.requires_token) return;
  auto admitted = context_.access.admit(authorization, message.target(), door_.requires_token, peer_);
  if (admitted)
    caller_ = *std::move(admitted);
  else
    refusal_ = error_answer(admitted.error(), request_id_of(head_of_request()));
}

// Small bodies need no leave; the length of a chunked one is not known before its end.
template <class Stream>
bool HttpSession<Stream>::reserve_body() {
  constexpr std::uint64_t small = 64 * 1024;
  const auto length = parser_->content_length();
  const std::uint64_t wanted = length ? *length : parser_->chunked() ? context_.settings.max_body_bytes : 0;
  if (wanted <= small || parser_->is_done()) return true;
  lane_.set(Standing::large_body);
  body_room_ = BodyRoom(context_.connections, wanted);
  return body_room_.granted();
}

template <class Stream>
void HttpSession<Stream>::take_request() {
  HttpRequest request = head_of_request();
  request.body = std::move(parser_->get().body());
  const bool keep = parser_->keep_alive();
  const bool old = parser_->get().version() < 11;
  parser_.reset();
  small_reads_ = 0;
  head_seen_ = false;
  body_room_ = {};
  if (!keep) input_closed_ = true;

  const auto token = !keep ? ConnectionToken::close : old ? ConnectionToken::keep_alive : ConnectionToken::none;
  if (refusal_) {
    Slot& slot = add_slot(refusal_->request_id, token);
    return fill(slot, *std::exchange(refusal_, std::nullopt));
  }
  auto routed = context_.routes.route(std::move(request));
  Slot& slot = add_slot(routed.request_id, token);
  if (auto* answer = std::get_if<HttpAnswer>(&routed.outcome)) {
    if (answer->close) {
      input_closed_ = true;
      unread_input_ = true;
      slot.token = ConnectionToken::close;
    }
    return fill(slot, std::move(*answer));
  }
  auto& call = std::get<scheduling::Call>(routed.outcome);
  slot.method = call.method;
  call.caller = std::move(caller_);
  if (call.caller) call.peer += " token=" + call.caller->token_id;
  hand_over_in_turn(std::move(call), slot.number);
}

// Who has sent a request that can be decided is served like all who have; what came before was served as a newcomer's.
template <class Stream>
void HttpSession<Stream>::hand_over_in_turn(scheduling::Call call, std::uint64_t slot) {
  if (lane_.standing() == Standing::proven) return hand_over(std::move(call), slot);
  lane_.set(Standing::proven);
  handing_over_ = true;
  boost::asio::post(stream_.get_executor(), [self = this->shared_from_this(), call = std::move(call), slot]() mutable {
    self->handing_over_ = false;
    self->hand_over(std::move(call), slot);
    self->process();
  });
}

template <class Stream>
void HttpSession<Stream>::hand_over(scheduling::Call call, std::uint64_t slot) {
  auto pending = std::make_shared<PendingAnswer>(context_.connections, this->weak_from_this(), slot);
  if (!context_.routes.waits(call.method) && !pending->take_place(context_.settings.max_waiting_requests)) {
    return pending->give(Error{ErrorCode::unavailable,
                               "expected at most " + std::to_string(context_.settings.max_waiting_requests) +
                                   " requests to wait for their answers (server.max_waiting_requests), found one more; "
                                   "try again later",
                               ""});
  }
  context_.manager.handle(std::move(call),
                          [pending = std::move(pending)](scheduling::Reply reply) { pending->give(std::move(reply)); });
}

template <class Stream>
void HttpSession<Stream>::refuse_bytes(ErrorCodeOf error) {
  namespace http = boost::beast::http;
  const std::string request_id = "req-" + to_text(random_uuid());
  const auto refusal = [&request_id](unsigned status, std::string message) {
    return error_answer(Error{ErrorCode::invalid_argument, std::move(message), ""}, request_id, status);
  };
  if (error == http::error::body_limit) {
    return answer_and_close(refusal(413, "request body: expected at most " +
                                             std::to_string(context_.settings.max_body_bytes) +
                                             " bytes (server.max_body_bytes), found more"));
  }
  if (error == http::error::header_limit) {
    return answer_and_close(refusal(431, "request line and headers: expected at most " +
                                             std::to_string(context_.settings.max_header_bytes) +
                                             " bytes (server.max_header_bytes), found more"));
  }
  answer_and_close(refusal(400, "expected an HTTP/1.1 request, found bytes that are none: " + error.message()));
}

template <class Stream>
typename HttpSession<Stream>::Slot& HttpSession<Stream>::add_slot(const std::string& request_id,
                                                                  ConnectionToken token) {
  Slot& slot = slots_.emplace_back();
  slot.number = next_slot_++;
  slot.request_id = request_id;
  slot.token = token;
  slot.began = Clock::now();
  return slot;
}

template <class Stream>
typename HttpSession<Stream>::Slot* HttpSession<Stream>::find(std::uint64_t number) {
  if (ended_ || slots_.empty() || number < slots_.front().number) return nullptr;
  Slot& slot = slots_[static_cast<std::size_t>(number - slots_.front().number)];
  return slot.ready ? nullptr : &slot;
}

template <class Stream>
void HttpSession<Stream>::fill(Slot& slot, HttpAnswer answer) {
  const bool last = slot.number + 1 == next_slot_;
  if (draining_ && last && !parser_ && buffer_.size() == 0) {
    slot.token = ConnectionToken::close;
    input_closed_ = true;
  }
  if (answer.status >= 400 && answer.status < 500 && answer.status != 409) lane_.set(Standing::newcomer);
  slot.head = head_of(answer, slot.token);
  if (!answer.without_body) slot.body = std::move(answer.body);
  slot.ready = true;
  unsent_bytes_ += slot.head.size() + slot.body.size();
  if (context_.logger->enabled(telemetry::Level::debug)) {
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - slot.began);
    context_.logger->write(telemetry::Level::debug, "answered",
                           {{"method", slot.method},
                            {"status", std::to_string(answer.status)},
                            {"request_id", slot.request_id},
                            {"peer", peer_},
                            {"microseconds", std::to_string(took.count())}});
  }
  write();
}

template <class Stream>
void HttpSession<Stream>::answer_and_close(HttpAnswer answer) {
  input_closed_ = true;
  unread_input_ = true;
  parser_.reset();
  buffer_.clear();
  Slot& slot = add_slot(answer.request_id, ConnectionToken::close);
  fill(slot, std::move(answer));
}

template <class Stream>
void HttpSession<Stream>::write() {
  if (writing_ || ended_) return;
  gathered_.clear();
  written_slots_ = 0;
  for (const Slot& slot : slots_) {
    if (!slot.ready || written_slots_ == 16) break;
    gathered_.emplace_back(slot.head.data(), slot.head.size());
    if (!slot.body.empty()) gathered_.emplace_back(slot.body.data(), slot.body.size());
    ++written_slots_;
  }
  if (written_slots_ == 0) return;
  writing_.emplace(gathered_);
  write_progress_ = Clock::now();
  write_some();
  watch();
}

template <class Stream>
void HttpSession<Stream>::write_some() {
  stream_.async_write_some(*writing_,
                           Continuation{[self = this->shared_from_this()](ErrorCodeOf error, std::size_t size) {
                             self->on_written(error, size);
                           }});
}

template <class Stream>
void HttpSession<Stream>::on_written(ErrorCodeOf error, std::size_t size) {
  if (ended_) return;
  if (error) return finish();
  writing_->consume(size);
  write_progress_ = last_activity_ = Clock::now();
  if (boost::asio::buffer_size(*writing_) > 0) return write_some();
  writing_.reset();
  after_write();
}

template <class Stream>
void HttpSession<Stream>::after_write() {
  bool close = false;
  for (; written_slots_ > 0; --written_slots_) {
    close = close || slots_.front().token == ConnectionToken::close;
    const std::size_t size = slots_.front().head.size() + slots_.front().body.size();
    unsent_bytes_ -= size;
    slots_.pop_front();
  }
  if (close || (input_closed_ && slots_.empty())) return end_or_linger();
  write();
  process();
  if (draining_) begin_drain();
}

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
