// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/queue_consumers.hpp"

#include <utility>

namespace gantry::nova {

namespace {

using telemetry::Level;

constexpr std::chrono::seconds wait_after_trouble{1};

}  // namespace

QueueConsumers::QueueConsumers(amqp::KeptConnection& connection, const transport::Strand& strand,
                               std::vector<ServerQueue> queues, std::uint16_t prefetch,
                               std::shared_ptr<telemetry::Logger> logger, QueueConsumersEvents events)
    : connection_(connection),
      queues_(std::move(queues)),
      prefetch_(prefetch),
      logger_(std::move(logger)),
      events_(std::move(events)),
      timer_(strand),
      states_(queues_.size()) {}

void QueueConsumers::begin() {
  if (is_paused_ || !connection_.is_up()) return;
  leave();
  channel_ = connection_.open_channel([this, round = round_](const Error& error) {
    if (round == round_) on_refused(0, nullptr, "channel", error);
  });
  channel_->limit_prefetch(prefetch_, [](const Result<void>&) {});
  declare_exchange(0);
}

// Ends the present round.
void QueueConsumers::leave(const std::function<void()>& left) {
  ++round_;
  timer_.cancel();
  const auto ending = std::exchange(channel_, nullptr);
  if (!ending) return left();
  ending->close([left](const Result<void>&) { left(); });
  events_.on_stopped();
}

void QueueConsumers::on_down() {
  leave();
}

void QueueConsumers::pause(const std::function<void()>& left) {
  is_paused_ = true;
  leave(left);
}

void QueueConsumers::resume() {
  is_paused_ = false;
  begin();
}

void QueueConsumers::begin_after(std::chrono::milliseconds wait) {
  leave();
  timer_.expires_after(wait);
  timer_.async_wait([this, round = round_](const boost::system::error_code& error) {
    if (!error && round == round_) begin();
  });
}

amqp::Done QueueConsumers::then(Step next, std::size_t queue, bool* uses, const std::string& what) {
  return [this, round = round_, next, queue, uses, what](const Result<void>& result) {
    if (round != round_) return;
    if (!result) return on_refused(queue, uses, what, result.error());
    (this->*next)(queue);
  };
}

void QueueConsumers::declare_exchange(std::size_t queue) {
  if (queue == queues_.size()) return on_consuming();
  const auto& exchange = queues_[queue].exchange;
  auto& state = states_[queue];
  const auto done =
      then(&QueueConsumers::declare_queue, queue, &state.uses_exchange, "exchange '" + exchange.name + "'");
  if (state.uses_exchange) return channel_->look_up_exchange(exchange.name, done);
  channel_->declare(exchange, done);
}

void QueueConsumers::declare_queue(std::size_t queue) {
  const auto& made = queues_[queue].queue;
  auto& state = states_[queue];
  const auto done = then(&QueueConsumers::bind, queue, &state.uses_queue, "queue '" + made.name + "'");
  const auto on_state = [done](const Result<amqp::QueueState>& found) {
    done(found ? Result<void>() : Result<void>(found.error()));
  };
  // Only a queue that is looked up can be known to have been there all the time.
  if (state.uses_queue || (is_fanout(queue) && state.is_made)) return channel_->look_up_queue(made.name, on_state);
  channel_->declare(made, on_state);
}

void QueueConsumers::bind(std::size_t queue) {
  const auto& made = queues_[queue];
  channel_->bind(made.binding, then(&QueueConsumers::consume, queue, nullptr, "binding of '" + made.queue.name + "'"));
}

void QueueConsumers::consume(std::size_t queue) {
  const auto& made = queues_[queue];
  amqp::Consumer consumer;
  consumer.queue = made.queue.name;
  consumer.tag = made.consumer_tag;
  consumer.arguments = made.consumer_arguments;
  consumer.on_delivery = [this, round = round_](amqp::Delivery delivery) {
    if (round == round_) events_.on_delivery(std::move(delivery), channel_);
  };
  consumer.on_cancelled = [this, round = round_, name = made.queue.name] {
    if (round != round_) return;
    logger_->write(Level::warning, "the broker has ended a consumer; the queue is declared again", {{"queue", name}});
    begin_after(wait_after_trouble);
  };
  const auto done = [this, round = round_, queue](const Result<void>& result) {
    if (round != round_) return;
    if (!result) return on_refused(queue, nullptr, "consumer of '" + queues_[queue].queue.name + "'", result.error());
    // A stream goes on while this server does not read it.
    if (states_[queue].is_made && queues_[queue].is_stream()) casts_are_lost_ = true;
    states_[queue].is_made = true;
    declare_exchange(queue + 1);
  };
  channel_->consume(std::move(consumer), done);
}

void QueueConsumers::on_consuming() {
  if (!std::exchange(last_trouble_, {}).empty()) logger_->write(Level::info, "all queues are consumed from again");
  events_.on_consuming(std::exchange(casts_are_lost_, false));
}

void QueueConsumers::on_refused(std::size_t queue, bool* uses, const std::string& what, const Error& error) {
  if (!connection_.is_up()) return leave();
  if (uses != nullptr && error.code == ErrorCode::failed_precondition && !*uses) {
    *uses = true;
    if (said_.insert(what).second)
      logger_->write(Level::warning, "the broker has it with other arguments than nova.conf says; it is used as it is",
                     {{"which", what}, {"difference", error.message}});
    return begin_after(std::chrono::milliseconds(0));
  }
  auto& state = states_[queue];
  const bool was_looked_up = uses != nullptr && (*uses || (uses == &state.uses_queue && state.is_made));
  if (was_looked_up && error.code == ErrorCode::not_found) {
    if (uses == &state.uses_queue && is_fanout(queue)) casts_are_lost_ = true;
    *uses = false;
    state.is_made = false;
    return begin_after(std::chrono::milliseconds(0));
  }
  if (std::exchange(last_trouble_, error.message) != error.message)
    logger_->write(Level::error, "a queue cannot be consumed from; it is tried again each second",
                   {{"which", what}, {"reason", error.message}});
  begin_after(wait_after_trouble);
}

}  // namespace gantry::nova
