// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/reply_sender.hpp"

#include <utility>
#include <vector>

#include "core/nova/rpc/reply.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds wait_for_channel{1};

}  // namespace

ReplySender::ReplySender(amqp::KeptConnection& connection, std::chrono::seconds retry_time,
                         std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<telemetry::Counters> counters)
    : connection_(connection), retry_time_(retry_time), logger_(std::move(logger)), counters_(std::move(counters)) {}

void ReplySender::on_up() {
  open_channel();
  tick(Clock::now());
}

void ReplySender::on_down() {
  channel_.reset();
}

void ReplySender::open_channel() {
  channel_ = connection_.open_channel([this](const Error& error) {
    channel_.reset();
    next_channel_ = Clock::now() + wait_for_channel;
    if (connection_.is_up())
      logger_->write(telemetry::Level::error, "the broker has ended the channel of the replies",
                     {{"reason", error.message}});
  });
}

void ReplySender::send(std::uint64_t number, const RpcCaller& caller, std::string body, IsAwaited is_awaited,
                       Done done) {
  replies_[number] = {caller, std::move(body), std::move(is_awaited), std::move(done), false, false, std::nullopt};
  publish(number);
}

bool ReplySender::send_heartbeat(std::uint64_t number, const RpcCaller& caller, std::function<void()> on_heard) {
  if (!channel_ || !heartbeats_.insert(number).second) return false;
  channel_->publish(publication_to(caller, encode_heartbeat(caller, new_unique_id())),
                    [this, number, on_heard = std::move(on_heard)](const amqp::Published& published) {
                      heartbeats_.erase(number);
                      if (published.outcome == amqp::Published::Outcome::confirmed) on_heard();
                    });
  return true;
}

void ReplySender::publish(std::uint64_t number) {
  const auto found = replies_.find(number);
  if (found == replies_.end() || found->second.is_on_its_way || !channel_) return;
  auto& reply = found->second;
  if (dead_.contains(reply.caller.reply_queue, Clock::now())) return settle(number, false);
  if (!reply.is_awaited()) {
    logger_->write(telemetry::Level::warning, "a reply is not sent; the caller has given up since",
                   {{"reply_queue", reply.caller.reply_queue}});
    return settle(number, false);
  }
  reply.is_on_its_way = true;
  channel_->publish(publication_to(reply.caller, reply.body), [this, number](const amqp::Published& published) {
    on_published(number, published, connection_.is_up());
  });
}

void ReplySender::on_published(std::uint64_t number, const amqp::Published& published, bool is_connected) {
  using Outcome = amqp::Published::Outcome;
  auto& reply = replies_.at(number);
  reply.is_on_its_way = false;
  if (published.outcome == Outcome::confirmed) return settle(number, true);
  if (published.outcome == Outcome::unroutable) counters_->add("nova_replies_returned", "", 1);
  if (published.outcome == Outcome::unknown) {
    reply.may_have_arrived = true;
    if (!is_connected) return;
  }
  const auto now = Clock::now();
  if (!reply.failing_since) reply.failing_since = now;
  if (now - *reply.failing_since < retry_time_) return;
  logger_->write(telemetry::Level::warning, "a reply cannot be delivered; the caller is gone",
                 {{"reply_queue", reply.caller.reply_queue}, {"reason", published.text}});
  dead_.add(reply.caller.reply_queue, now);
  settle(number, false);
}

void ReplySender::settle(std::uint64_t number, bool is_delivered) {
  const auto node = replies_.extract(number);
  const auto& reply = node.mapped();
  if (!is_delivered) counters_->add("nova_replies_dropped", "", 1);
  reply.done({is_delivered, reply.may_have_arrived});
}

void ReplySender::tick(Clock::time_point now) {
  if (!connection_.is_up()) return;
  if (!channel_ && now >= next_channel_) open_channel();
  std::vector<std::uint64_t> due;
  for (const auto& [number, reply] : replies_)
    if (!reply.is_on_its_way) due.push_back(number);
  for (const auto number : due) publish(number);
}

}  // namespace gantry::nova
