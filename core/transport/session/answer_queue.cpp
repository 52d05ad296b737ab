// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/answer_queue.hpp"

#include <algorithm>
#include <utility>

#include "core/transport/api/http_answer.hpp"

namespace gantry::transport {

AnswerQueue::Slot& AnswerQueue::add(ConnectionToken connection) {
  Slot& slot = slots_.emplace_back();
  slot.number = next_number_++;
  slot.connection = connection;
  slot.began = Clock::now();
  return slot;
}

void AnswerQueue::add_continue() {
  Slot& slot = add(ConnectionToken::none);
  slot.head = "HTTP/1.1 100 Continue\r\n\r\n";
  slot.is_ready = true;
  unsent_bytes_ += slot.head.size();
}

AnswerQueue::Slot* AnswerQueue::find(std::uint64_t number) {
  if (slots_.empty() || number < slots_.front().number || number >= next_number_) return nullptr;
  Slot& slot = slots_[static_cast<std::size_t>(number - slots_.front().number)];
  return slot.is_ready ? nullptr : &slot;
}

void AnswerQueue::fill(Slot& slot, HttpAnswer answer) {
  slot.head = head_of(answer, slot.connection);
  if (!answer.without_body) slot.body = std::move(answer.body);
  slot.is_ready = true;
  unsent_bytes_ += slot.head.size() + slot.body.size();
}

bool AnswerQueue::begin_write() {
  constexpr std::size_t most_slots = 16;
  if (is_writing()) return false;
  for (const Slot& slot : slots_) {
    if (!slot.is_ready || slots_in_write_ == most_slots) break;
    unsent_.emplace_back(slot.head.data(), slot.head.size());
    if (!slot.body.empty()) unsent_.emplace_back(slot.body.data(), slot.body.size());
    ++slots_in_write_;
  }
  return is_writing();
}

bool AnswerQueue::sent(std::size_t size) {
  const auto is_left = std::find_if(unsent_.begin(), unsent_.end(), [&size](boost::asio::const_buffer& part) {
    const std::size_t taken = std::min(size, part.size());
    part += taken;
    size -= taken;
    return part.size() > 0;
  });
  unsent_.erase(unsent_.begin(), is_left);
  if (is_writing()) return false;
  for (; slots_in_write_ > 0; --slots_in_write_) {
    const Slot& slot = slots_.front();
    has_said_close_ = has_said_close_ || slot.connection == ConnectionToken::close;
    unsent_bytes_ -= slot.head.size() + slot.body.size();
    slots_.pop_front();
  }
  return true;
}

}  // namespace gantry::transport
