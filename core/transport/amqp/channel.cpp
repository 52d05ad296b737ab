// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/channel.hpp"

#include "core/transport/amqp/codec.hpp"

namespace gantry::amqp {

Error Channel::after_end(const Error& error) {
  return {ErrorCode::unavailable, "the channel has ended: " + error.message, error.details};
}

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

void Channel::declare(const Exchange& exchange, const Done& done) {
  amqp_exchange_declare_t fields{};
  const Table arguments(exchange.arguments);
  fields.exchange = view_of(exchange.name);
  fields.type = view_of(exchange.type);
  fields.durable = exchange.is_durable;
  fields.auto_delete = exchange.is_auto_delete;
  fields.arguments = arguments.view();
  call(AMQP_EXCHANGE_DECLARE_METHOD, &fields, AMQP_EXCHANGE_DECLARE_OK_METHOD, done);
}

void Channel::look_up_exchange(const std::string& name, const Done& done) {
  amqp_exchange_declare_t fields{};
  fields.exchange = view_of(name);
  fields.type = view_of("direct");  // must be a type, and is ignored
  fields.passive = 1;
  call(AMQP_EXCHANGE_DECLARE_METHOD, &fields, AMQP_EXCHANGE_DECLARE_OK_METHOD, done);
}

void Channel::declare(const Queue& queue, const QueueDone& done) {
  declare(queue, false, done);
}

void Channel::look_up_queue(const std::string& name, const QueueDone& done) {
  Queue queue;
  queue.name = name;
  declare(queue, true, done);
}

void Channel::declare(const Queue& queue, bool is_passive, const QueueDone& done) {
  amqp_queue_declare_t fields{};
  const Table arguments(queue.arguments);
  fields.queue = view_of(queue.name);
  fields.passive = is_passive;
  fields.durable = queue.is_durable;
  fields.exclusive = queue.is_exclusive;
  fields.auto_delete = queue.is_auto_delete;
  fields.arguments = arguments.view();
  const auto on_declared = [done](const void* reply) {
    const auto& found = fields_as<amqp_queue_declare_ok_t>(reply);
    done(QueueState{text_of(found.queue), found.message_count, found.consumer_count});
  };
  call(AMQP_QUEUE_DECLARE_METHOD, &fields,
       Awaited{AMQP_QUEUE_DECLARE_OK_METHOD, on_declared, [done](const Error& error) { done(error); }});
}

void Channel::bind(const Binding& binding, const Done& done) {
  amqp_queue_bind_t fields{};
  fields.queue = view_of(binding.queue);
  fields.exchange = view_of(binding.exchange);
  fields.routing_key = view_of(binding.routing_key);
  call(AMQP_QUEUE_BIND_METHOD, &fields, AMQP_QUEUE_BIND_OK_METHOD, done);
}

void Channel::delete_queue(const std::string& name, const Done& done) {
  amqp_queue_delete_t fields{};
  fields.queue = view_of(name);
  call(AMQP_QUEUE_DELETE_METHOD, &fields, AMQP_QUEUE_DELETE_OK_METHOD, done);
}

void Channel::limit_prefetch(std::uint16_t messages, const Done& done) {
  amqp_basic_qos_t fields{};
  fields.prefetch_count = messages;
  call(AMQP_BASIC_QOS_METHOD, &fields, AMQP_BASIC_QOS_OK_METHOD, done);
}

void Channel::consume(Consumer consumer, const Done& done) {
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

void Channel::cancel(const std::string& tag, const Done& done) {
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

void Channel::close(const Done& done) {
  amqp_channel_close_t fields{};
  fields.reply_code = 200;
  call(AMQP_CHANNEL_CLOSE_METHOD, &fields, AMQP_CHANNEL_CLOSE_OK_METHOD, done);
  if (state_ == State::open) state_ = State::closing;
  end_error_ = {ErrorCode::unavailable, "it was closed", ""};
}

}  // namespace gantry::amqp
