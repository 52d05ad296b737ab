// SPDX-License-Identifier: Apache-2.0
//
// Members of HttpSession: who may call, and what becomes of a request. Included by http_session.hpp only.
#pragma once

namespace gantry::transport {

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
  body_room_ = Room(context_.connections, Bounded::body_bytes, wanted, context_.limits.body_bytes);
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
  crumbs_room_ = {};
  if (!keep) input_closed_ = true;

  const auto token = !keep ? ConnectionToken::close : old ? ConnectionToken::keep_alive : ConnectionToken::none;
  if (refusal_) {
    Slot& slot = add_slot(refusal_->request_id, token);
    return fill(slot, *std::exchange(refusal_, std::nullopt));
  }
  auto routed = context_.routes.route(std::move(request));
  Slot& slot = add_slot(routed.request_id, token);
  if (auto* answer = std::get_if<HttpAnswer>(&routed.outcome)) {
    if (answer->close) close_after(slot);
    return fill(slot, std::move(*answer));
  }
  auto& call = std::get<scheduling::MethodCall>(routed.outcome);
  slot.method = call.method;
  call.caller = std::move(caller_);
  if (call.caller) call.peer += " token=" + call.caller->token_id;
  hand_over_in_turn(std::move(call), slot.number);
}

// Who has sent a request that can be decided is served like all who have; what came before was served as a newcomer's.
// What came with a large body is decided where that was read: to let go of it takes long, too.
template <class Stream>
void HttpSession<Stream>::hand_over_in_turn(scheduling::MethodCall call, std::uint64_t slot) {
  const bool stays = lane_.standing() != Standing::newcomer;
  lane_.set(Standing::proven);
  if (stays) return hand_over(std::move(call), slot);
  handing_over_ = true;
  boost::asio::post(strand_, [self = this->shared_from_this(), call = std::move(call), slot]() mutable {
    self->handing_over_ = false;
    self->hand_over(std::move(call), slot);
    self->process();
  });
}

template <class Stream>
void HttpSession<Stream>::hand_over(scheduling::MethodCall&& call, std::uint64_t slot) {
  auto pending = std::make_shared<PendingAnswer>(context_.connections, this->weak_from_this(), slot);
  if (!context_.routes.waits(call.method) && !pending->take_place(context_.settings.max_waiting_requests)) {
    return pending->give(Error{ErrorCode::unavailable,
                               "expected at most " + std::to_string(context_.settings.max_waiting_requests) +
                                   " requests to wait for their answers (server.max_waiting_requests), found one more; "
                                   "try again later",
                               ""});
  }
  context_.manager.handle(
      std::move(call), [pending = std::move(pending)](scheduling::Answer answer) { pending->give(std::move(answer)); });
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
  if (error == http::error::buffer_overflow) {
    return answer_and_close(refusal(431, "header of a chunk, or last chunk and trailers: expected at most " +
                                             std::to_string(context_.settings.max_header_bytes) +
                                             " bytes (server.max_header_bytes), found more"));
  }
  answer_and_close(refusal(400, "expected an HTTP/1.1 request, found bytes that are none: " + error.message()));
}

}  // namespace gantry::transport
