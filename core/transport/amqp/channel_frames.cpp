// SPDX-License-Identifier: Apache-2.0
//
// The frames that a channel receives.
#include <charconv>

#include "core/transport/amqp/channel.hpp"
#include "core/transport/amqp/codec.hpp"
#include "core/transport/amqp/frame_reader.hpp"

namespace gantry::amqp {

namespace {

std::uint64_t sequence_of(const std::string& message_id) {
  std::uint64_t sequence = 0;
  const auto* end = message_id.data() + message_id.size();
  const auto [rest, error] = std::from_chars(message_id.data(), end, sequence);
  return error == std::errc() && rest == end ? sequence : 0;
}

}  // namespace

Result<void> Channel::on_method(std::uint32_t method, const void* fields) {
  if (state_ == State::closing && method != AMQP_CHANNEL_CLOSE_OK_METHOD && method != AMQP_CHANNEL_CLOSE_METHOD)
    return {};
  if (incoming_) return broken_protocol("expected the content of a message, found " + name_of_method(method));
  switch (method) {
    case AMQP_BASIC_DELIVER_METHOD: {
      const auto& deliver = fields_as<amqp_basic_deliver_t>(fields);
      Incoming incoming;
      incoming.delivery.consumer_tag = text_of(deliver.consumer_tag);
      incoming.delivery.delivery_tag = deliver.delivery_tag;
      incoming.delivery.is_redelivered = deliver.redelivered != 0;
      incoming.delivery.exchange = text_of(deliver.exchange);
      incoming.delivery.routing_key = text_of(deliver.routing_key);
      return begin_content(std::move(incoming));
    }
    case AMQP_BASIC_RETURN_METHOD: {
      Incoming incoming;
      incoming.is_return = true;
      incoming.return_text = text_of(fields_as<amqp_basic_return_t>(fields).reply_text);
      return begin_content(std::move(incoming));
    }
    case AMQP_BASIC_ACK_METHOD: {
      const auto& ack = fields_as<amqp_basic_ack_t>(fields);
      settle(ack.delivery_tag, ack.multiple != 0, true);
      return {};
    }
    case AMQP_BASIC_NACK_METHOD: {
      const auto& nack = fields_as<amqp_basic_nack_t>(fields);
      settle(nack.delivery_tag, nack.multiple != 0, false);
      return {};
    }
    case AMQP_BASIC_CANCEL_METHOD:
      on_cancelled(text_of(fields_as<amqp_basic_cancel_t>(fields).consumer_tag));
      return {};
    case AMQP_CHANNEL_CLOSE_METHOD: on_broker_closed(fields); return {};
    default: return on_reply(method, fields);
  }
}

Result<void> Channel::on_reply(std::uint32_t method, const void* fields) {
  // While the channel is being closed, answers to earlier methods are dropped, their operations with them.
  while (state_ == State::closing && awaited_.size() > 1) {
    const auto dropped = std::move(awaited_.front());
    awaited_.pop_front();
    dropped.on_error(after_end(end_error_));
  }
  if (awaited_.empty()) return broken_protocol("expected no answer, found " + name_of_method(method));
  if (awaited_.front().reply != method)
    return broken_protocol("expected " + name_of_method(awaited_.front().reply) + ", found " + name_of_method(method));
  const auto answered = std::move(awaited_.front());
  awaited_.pop_front();
  if (method == AMQP_CHANNEL_CLOSE_OK_METHOD) {
    on_closed_ = nullptr;
    end(end_error_, end_error_);
  }
  answered.on_reply(fields);
  return {};
}

Result<void> Channel::begin_content(Incoming incoming) {
  incoming_ = std::move(incoming);
  return {};
}

Result<void> Channel::on_header(std::uint64_t body_bytes, const void* properties) {
  if (state_ == State::closing) return {};
  if (!incoming_ || incoming_->has_header)
    return broken_protocol("expected a method, found the properties of a message");
  auto& delivery = incoming_->delivery;
  incoming_->has_header = true;
  incoming_->missing = body_bytes;
  incoming_->returned_sequence = sequence_of(message_id_of(fields_as<amqp_basic_properties_t>(properties)));
  delivery.properties = properties_of(fields_as<amqp_basic_properties_t>(properties));
  delivery.size = body_bytes;
  delivery.is_too_large = body_bytes > limits_.body_bytes;
  if (body_bytes == 0) end_content();
  return {};
}

Result<void> Channel::on_body(std::string_view bytes) {
  if (state_ == State::closing) return {};
  if (!incoming_ || !incoming_->has_header) return broken_protocol("expected a method, found the body of a message");
  if (bytes.size() > incoming_->missing)
    return broken_protocol("expected a body of " + std::to_string(incoming_->delivery.size) +
                           " bytes, found a longer one");
  incoming_->missing -= bytes.size();
  auto& delivery = incoming_->delivery;
  if (!incoming_->is_return) delivery.body.append(bytes);
  if (delivery.is_too_large && delivery.body.size() > kept_of_too_large)
    delivery.body.erase(0, delivery.body.size() - kept_of_too_large);
  if (incoming_->missing == 0) end_content();
  return {};
}

void Channel::end_content() {
  auto incoming = *std::exchange(incoming_, std::nullopt);
  if (!incoming.is_return) return deliver(std::move(incoming.delivery));
  const auto found = unconfirmed_.find(incoming.returned_sequence);
  if (found == unconfirmed_.end()) return;
  found->second.is_returned = true;
  found->second.return_text = std::move(incoming.return_text);
}

void Channel::deliver(Delivery delivery) {
  const auto found = consumers_.find(delivery.consumer_tag);
  // A message that was under way when its consumer was cancelled goes back to the queue with the channel's end.
  if (found == consumers_.end()) return;
  const auto consumer = found->second;
  consumer->on_delivery(std::move(delivery));
}

void Channel::on_cancelled(const std::string& tag) {
  const auto found = consumers_.find(tag);
  if (found == consumers_.end()) return;
  const auto consumer = found->second;
  consumers_.erase(found);
  if (consumer->on_cancelled) consumer->on_cancelled();
}

void Channel::settle(std::uint64_t sequence, bool is_multiple, bool is_ack) {
  auto first = is_multiple ? unconfirmed_.begin() : unconfirmed_.find(sequence);
  const auto last = unconfirmed_.upper_bound(sequence);
  std::map<std::uint64_t, Unconfirmed> settled;
  while (first != unconfirmed_.end() && first != last) {
    const auto next = std::next(first);
    settled.insert(unconfirmed_.extract(first));
    first = next;
    if (!is_multiple) break;
  }
  for (auto& [number, message] : settled) {
    if (!is_ack) {
      message.done({Published::Outcome::refused, "the broker could not take the message"});
    } else if (message.is_returned) {
      message.done({Published::Outcome::unroutable, message.return_text});
    } else {
      message.done({});
    }
  }
}

void Channel::on_broker_closed(const void* fields) {
  const auto& closed = fields_as<amqp_channel_close_t>(fields);
  const amqp_channel_close_ok_t answer{};
  static_cast<void>(send(AMQP_CHANNEL_CLOSE_OK_METHOD, &answer));
  // Both sides close at the same time: the broker answers to the other close as well.
  if (state_ == State::closing) return;
  auto error = error_of(closed.reply_code, text_of(closed.reply_text));
  end(after_end(error), error);
}

void Channel::on_connection_lost(const Error& error) {
  end(error, error);
}

// `first_error` is for the operation that caused the end, `error` for all others.
void Channel::end(const Error& error, const Error& first_error) {
  if (state_ == State::ended) return;
  state_ = State::ended;
  end_error_ = first_error;
  output_ = [](const std::string&) {};
  held_.clear();
  incoming_.reset();
  consumers_.clear();
  const auto awaited = std::exchange(awaited_, {});
  const auto unconfirmed = std::exchange(unconfirmed_, {});
  for (std::size_t i = 0; i < awaited.size(); ++i) awaited[i].on_error(i == 0 ? first_error : error);
  for (const auto& [number, message] : unconfirmed) message.done({Published::Outcome::unknown, first_error.message});
  if (const auto on_closed = std::exchange(on_closed_, nullptr)) on_closed(first_error);
}

}  // namespace gantry::amqp
