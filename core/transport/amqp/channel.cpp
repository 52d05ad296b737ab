// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/channel.hpp"

#include <charconv>

#include "core/transport/amqp/codec.hpp"
#include "core/transport/amqp/frame_reader.hpp"

namespace gantry::amqp {

namespace {

template <class Fields>
const Fields& as(const void* fields) {
  return *static_cast<const Fields*>(fields);
}

std::uint64_t sequence_of(const std::string& message_id) {
  std::uint64_t sequence = 0;
  const auto* end = message_id.data() + message_id.size();
  const auto [rest, error] = std::from_chars(message_id.data(), end, sequence);
  return error == std::errc() && rest == end ? sequence : 0;
}

Error after_end(const Error& error) {
  return {ErrorCode::unavailable, "the channel has ended: " + error.message, error.details};
}

}  // namespace

Channel::Channel(std::uint16_t number, const Limits& limits, Output output, std::function<void(const Error&)> on_closed)
    : number_(number), limits_(limits), output_(std::move(output)), on_closed_(std::move(on_closed)) {}

void Channel::open() {
  const amqp_channel_open_t fields{};
  call(AMQP_CHANNEL_OPEN_METHOD, &fields, AMQP_CHANNEL_OPEN_OK_METHOD, [](const Result<void>&) {});
}

Result<void> Channel::send(std::uint32_t method, const void* fields) {
  std::string bytes;
  auto appended = append_method(bytes, number_, method, fields);
  if (appended) output_(std::move(bytes));
  return appended;
}

void Channel::call(std::uint32_t method, const void* fields, Awaited awaited) {
  if (state_ != State::open) return awaited.on_error(after_end(end_error_));
  if (auto sent = send(method, fields); !sent) return awaited.on_error(sent.error());
  awaited_.push_back(std::move(awaited));
}

void Channel::call(std::uint32_t method, const void* fields, std::uint32_t reply, const Done& done) {
  call(method, fields, Awaited{reply, [done](const void*) { done({}); }, [done](const Error& error) { done(error); }});
}

void Channel::declare(const Exchange& exchange, Done done) {
  amqp_exchange_declare_t fields{};
  const Table arguments(exchange.arguments);
  fields.exchange = view_of(exchange.name);
  fields.type = view_of(exchange.type);
  fields.durable = exchange.is_durable;
  fields.auto_delete = exchange.is_auto_delete;
  fields.arguments = arguments.view();
  call(AMQP_EXCHANGE_DECLARE_METHOD, &fields, AMQP_EXCHANGE_DECLARE_OK_METHOD, std::move(done));
}

void Channel::look_up_exchange(const std::string& name, Done done) {
  amqp_exchange_declare_t fields{};
  fields.exchange = view_of(name);
  fields.type = view_of("direct");  // must be a type, and is ignored
  fields.passive = 1;
  call(AMQP_EXCHANGE_DECLARE_METHOD, &fields, AMQP_EXCHANGE_DECLARE_OK_METHOD, std::move(done));
}

void Channel::declare(const Queue& queue, QueueDone done) {
  declare(queue, false, std::move(done));
}

void Channel::look_up_queue(const std::string& name, QueueDone done) {
  Queue queue;
  queue.name = name;
  declare(queue, true, std::move(done));
}

void Channel::declare(const Queue& queue, bool is_passive, QueueDone done) {
  amqp_queue_declare_t fields{};
  const Table arguments(queue.arguments);
  fields.queue = view_of(queue.name);
  fields.passive = is_passive;
  fields.durable = queue.is_durable;
  fields.exclusive = queue.is_exclusive;
  fields.auto_delete = queue.is_auto_delete;
  fields.arguments = arguments.view();
  const auto on_declared = [done](const void* reply) {
    const auto& found = as<amqp_queue_declare_ok_t>(reply);
    done(QueueState{text_of(found.queue), found.message_count, found.consumer_count});
  };
  call(AMQP_QUEUE_DECLARE_METHOD, &fields,
       Awaited{AMQP_QUEUE_DECLARE_OK_METHOD, on_declared, [done](const Error& error) { done(error); }});
}

void Channel::bind(const Binding& binding, Done done) {
  amqp_queue_bind_t fields{};
  fields.queue = view_of(binding.queue);
  fields.exchange = view_of(binding.exchange);
  fields.routing_key = view_of(binding.routing_key);
  call(AMQP_QUEUE_BIND_METHOD, &fields, AMQP_QUEUE_BIND_OK_METHOD, std::move(done));
}

void Channel::delete_queue(const std::string& name, Done done) {
  amqp_queue_delete_t fields{};
  fields.queue = view_of(name);
  call(AMQP_QUEUE_DELETE_METHOD, &fields, AMQP_QUEUE_DELETE_OK_METHOD, std::move(done));
}

void Channel::limit_prefetch(std::uint16_t messages, Done done) {
  amqp_basic_qos_t fields{};
  fields.prefetch_count = messages;
  call(AMQP_BASIC_QOS_METHOD, &fields, AMQP_BASIC_QOS_OK_METHOD, std::move(done));
}

void Channel::consume(Consumer consumer, Done done) {
  amqp_basic_consume_t fields{};
  const Table arguments(consumer.arguments);
  const auto kept = std::make_shared<const Consumer>(std::move(consumer));
  fields.queue = view_of(kept->queue);
  fields.consumer_tag = view_of(kept->tag);
  fields.arguments = arguments.view();
  // The first message may follow the answer in the same bytes.
  const auto on_consuming = [this, kept, done](const void*) {
    consumers_[kept->tag] = kept;
    done({});
  };
  call(AMQP_BASIC_CONSUME_METHOD, &fields,
       Awaited{AMQP_BASIC_CONSUME_OK_METHOD, on_consuming, [done](const Error& error) { done(error); }});
}

void Channel::cancel(const std::string& tag, Done done) {
  amqp_basic_cancel_t fields{};
  fields.consumer_tag = view_of(tag);
  const auto on_cancel_ok = [this, tag, done](const void*) {
    consumers_.erase(tag);
    done({});
  };
  call(AMQP_BASIC_CANCEL_METHOD, &fields,
       Awaited{AMQP_BASIC_CANCEL_OK_METHOD, on_cancel_ok, [done](const Error& error) { done(error); }});
}

void Channel::ack(std::uint64_t delivery_tag) {
  if (state_ != State::open) return;
  amqp_basic_ack_t fields{};
  fields.delivery_tag = delivery_tag;
  // Numbers always fit.
  static_cast<void>(send(AMQP_BASIC_ACK_METHOD, &fields));
}

void Channel::publish(const Publication& publication, PublishDone done) {
  if (state_ != State::open) return done({Published::Outcome::unknown, after_end(end_error_).message});
  if (!has_confirms_) {
    const amqp_confirm_select_t fields{};
    has_confirms_ = true;
    call(AMQP_CONFIRM_SELECT_METHOD, &fields, AMQP_CONFIRM_SELECT_OK_METHOD, [](const Result<void>&) {});
  }
  amqp_basic_publish_t fields{};
  fields.exchange = view_of(publication.exchange);
  fields.routing_key = view_of(publication.routing_key);
  fields.mandatory = publication.is_mandatory;
  std::string bytes;
  auto appended = append_method(bytes, number_, AMQP_BASIC_PUBLISH_METHOD, &fields);
  // A returned message names its sequence number: two messages for one queue may fare differently.
  if (appended)
    appended = append_content(bytes, number_, publication, std::to_string(published_ + 1), limits_.frame_bytes);
  if (!appended) return done({Published::Outcome::refused, appended.error().message});
  unconfirmed_[++published_] = {std::move(done), "", false};
  if (is_blocked_) held_ += bytes;
  if (!is_blocked_) output_(std::move(bytes));
}

void Channel::set_blocked(bool is_blocked) {
  is_blocked_ = is_blocked;
  if (!is_blocked && !held_.empty()) output_(std::exchange(held_, {}));
}

void Channel::close(Done done) {
  amqp_channel_close_t fields{};
  fields.reply_code = 200;
  call(AMQP_CHANNEL_CLOSE_METHOD, &fields, AMQP_CHANNEL_CLOSE_OK_METHOD, std::move(done));
  if (state_ == State::open) state_ = State::closing;
  end_error_ = {ErrorCode::unavailable, "it was closed", ""};
}

Result<void> Channel::on_method(std::uint32_t method, const void* fields) {
  if (state_ == State::closing && method != AMQP_CHANNEL_CLOSE_OK_METHOD && method != AMQP_CHANNEL_CLOSE_METHOD)
    return {};
  if (incoming_) return broken_protocol("expected the content of a message, found " + name_of_method(method));
  switch (method) {
    case AMQP_BASIC_DELIVER_METHOD: {
      const auto& deliver = as<amqp_basic_deliver_t>(fields);
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
      incoming.return_text = text_of(as<amqp_basic_return_t>(fields).reply_text);
      return begin_content(std::move(incoming));
    }
    case AMQP_BASIC_ACK_METHOD: {
      const auto& ack = as<amqp_basic_ack_t>(fields);
      settle(ack.delivery_tag, ack.multiple != 0, true);
      return {};
    }
    case AMQP_BASIC_NACK_METHOD: {
      const auto& nack = as<amqp_basic_nack_t>(fields);
      settle(nack.delivery_tag, nack.multiple != 0, false);
      return {};
    }
    case AMQP_BASIC_CANCEL_METHOD: on_cancelled(text_of(as<amqp_basic_cancel_t>(fields).consumer_tag)); return {};
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
  incoming_->returned_sequence = sequence_of(message_id_of(as<amqp_basic_properties_t>(properties)));
  delivery.properties = properties_of(as<amqp_basic_properties_t>(properties));
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
  if (!incoming_->delivery.is_too_large && !incoming_->is_return) incoming_->delivery.body.append(bytes);
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
  const auto& closed = as<amqp_channel_close_t>(fields);
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
