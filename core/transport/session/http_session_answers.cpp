// SPDX-License-Identifier: Apache-2.0
//
// How a session fills its queue of answers and sends them.
#include <utility>

#include "core/transport/api/http_answer.hpp"
#include "core/transport/session/http_session.hpp"

namespace gantry::transport {

void HttpSession::fill(AnswerQueue::Slot& slot, Outcome outcome) {
  if (auto* answer = std::get_if<HttpAnswer>(&outcome.answer)) return fill(slot, std::move(*answer), outcome.method);
  fill(slot, answer_to(std::get<scheduling::Answer>(outcome.answer), outcome.request_id), outcome.method);
}

void HttpSession::fill(AnswerQueue::Slot& slot, HttpAnswer answer, const std::string& method) {
  const bool is_last = answers_.is_last(slot) && !first_call_;
  if (phase_ == Phase::draining && is_last && connection_.reader.is_empty()) {
    slot.connection = ConnectionToken::close;
    phase_ = Phase::answering;
  }
  connection_.pacing.note_answer(answer.status);
  context_.answers->note(answer.status);
  // Requests that came later and wait for their answers are answered first.
  if (is_last && (answer.close || connection_.pacing.has_refusals_enough())) close_after(slot);
  if (context_.logger->enabled(telemetry::Level::debug)) {
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - slot.began);
    context_.logger->write(telemetry::Level::debug, "answered",
                           {{"method", method},
                            {"status", std::to_string(answer.status)},
                            {"request_id", answer.request_id},
                            {"peer", connection_.peer},
                            {"microseconds", std::to_string(took.count())}});
  }
  answers_.fill(slot, std::move(answer));
  note_unsent();
}

void HttpSession::note_unsent() {
  const auto unsent = answers_.unsent_bytes();
  const auto counted = unsent < UnsentAnswers::least ? 0 : unsent;
  if (counted == 0 && !holds_unsent_) return;
  holds_unsent_ = counted != 0;
  context_.unsent_answers->note(shared_from_this(), counted, Clock::now());
}

void HttpSession::forget_unsent() {
  if (std::exchange(holds_unsent_, false)) context_.unsent_answers->forget(this);
}

void HttpSession::close_after(AnswerQueue::Slot& slot) {
  slot.connection = ConnectionToken::close;
  phase_ = Phase::refusing;
}

void HttpSession::answer_and_close(HttpAnswer answer) {
  connection_.reader.discard();
  auto& slot = answers_.add(ConnectionToken::none);
  close_after(slot);
  fill(slot, std::move(answer));
}

// Returns whether answers were sent at once, so that further requests may be taken.
bool HttpSession::write() {
  if (phase_ >= Phase::lingering || !answers_.begin_write()) return false;
  deadlines_.begin_write(Clock::now());
  StreamError error;
  // An asynchronous write would hold the socket's lock while the client's next request arrives on another thread.
  const auto size = connection_.stream->write_now(answers_.unsent(), error);
  if (error) {
    finish();
    return false;
  }
  deadlines_.note_write_progress(Clock::now(), size);
  if (answers_.sent(size)) {
    after_write();
    return true;
  }
  write_some();
  return false;
}

void HttpSession::write_some() {
  connection_.stream->write_some(answers_.unsent(), [self = shared_from_this()](StreamError error, std::size_t size) {
    self->on_written(error, size);
  });
}

void HttpSession::on_written(StreamError error, std::size_t size) {
  if (phase_ == Phase::ended) return;
  if (error) return finish();
  deadlines_.note_write_progress(Clock::now(), size);
  if (!answers_.sent(size)) return write_some();
  after_write();
  proceed();
}

void HttpSession::after_write() {
  deadlines_.note_activity(Clock::now());
  note_unsent();
  if (connection_.seat) connection_.seat->note_answer();
  if (answers_.is_empty()) predecessor_.reset();
  if (first_call_) {
    if (answers_.is_empty()) move_to_workers();
  } else if (answers_.has_said_close() || (phase_ >= Phase::answering && answers_.is_empty())) {
    end_or_linger();
  }
}

}  // namespace gantry::transport
