// SPDX-License-Identifier: Apache-2.0
//
// Members of HttpSession: answers, in the order of their requests. Included by http_session.hpp only.
#pragma once

namespace gantry::transport {

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
  if (answer.status >= 400 && answer.status < 500 && answer.status != 409) {
    lane_.set(Standing::newcomer);
    if (answer.status == 401 || answer.status == 403) ++denials_;
    // Not while requests that came after it wait for their answers.
    if (++refusals_ >= context_.limits.refusals && last) close_after(slot);
  } else {
    refusals_ = denials_ = 0;
  }
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

// What the client still sends is not taken any more.
template <class Stream>
void HttpSession<Stream>::close_after(Slot& slot) {
  slot.token = ConnectionToken::close;
  input_closed_ = true;
  unread_input_ = true;
}

template <class Stream>
void HttpSession<Stream>::answer_and_close(HttpAnswer answer) {
  parser_.reset();
  buffer_.clear();
  Slot& slot = add_slot(answer.request_id, ConnectionToken::none);
  close_after(slot);
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
  if (write_now()) return;
  write_some();
  watch();
}

// An answer that nothing waits behind is sent at once: an operation of Asio's would hold its socket's lock meanwhile,
// for which the next worker waits if the client is as quick. False: what is left has to wait.
template <class Stream>
bool HttpSession<Stream>::write_now() {
  if (is_tls<Stream> || buffer_.size() > 0) return false;
  ErrorCodeOf error;
  const auto size = stream_.write_some(*writing_, error);
  if (error == boost::asio::error::would_block) return false;
  if (error) return finish(), true;
  writing_->consume(size);
  if (boost::asio::buffer_size(*writing_) > 0) return false;
  last_activity_ = Clock::now();
  writing_.reset();
  after_write();
  return true;
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
  if (processing_) return;  // it goes on by itself
  process();
}

}  // namespace gantry::transport
