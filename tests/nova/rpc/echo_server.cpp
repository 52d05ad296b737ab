// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/rpc/echo_server.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "core/nova/rpc/endpoints.hpp"
#include "core/nova/rpc/reply.hpp"

namespace gantry::nova {

EchoServer::EchoServer(amqp::BrokerClient& client, const QueueOptions& options)
    : client_(client), consuming_(client.channel()), publishing_(client.channel()) {
  const auto queues = server_queues("nova", "scheduler", "host1", new_unique_id(), options);
  for (const auto& queue : *queues) consume(queue);
}

void EchoServer::consume(const ServerQueue& made) {
  EXPECT_TRUE(client_.done([&](amqp::Done done) { consuming_->declare(made.exchange, done); }));
  EXPECT_TRUE(client_.queue([&](amqp::QueueDone done) { consuming_->declare(made.queue, done); }));
  EXPECT_TRUE(client_.done([&](amqp::Done done) { consuming_->bind(made.binding, done); }));
  amqp::Consumer consumer;
  consumer.queue = made.queue.name;
  consumer.tag = made.consumer_tag;
  consumer.arguments = made.consumer_arguments;
  consumer.on_delivery = [this](const amqp::Delivery& delivery) { take(delivery); };
  EXPECT_TRUE(client_.done([&](amqp::Done done) { consuming_->consume(consumer, done); }));
}

void EchoServer::take(const amqp::Delivery& delivery) {
  consuming_->ack(delivery.delivery_tag);
  const auto message = decode_rpc(delivery);
  if (recent_.is_repeated(message.caller.unique_id)) return;
  if (!message.request) {
    ++refused;
    if (message.caller.waits())
      send(message.caller,
           encode_failure(message.caller, new_unique_id(), invalid_input(message.request.error().message)));
    return;
  }
  if (!message.caller.waits()) return casts.push_back(message.request->method);
  answer(message.caller, *message.request);
}

void EchoServer::answer(const RpcCaller& caller, const RpcRequest& request) {
  if (const auto fault = fault_of_target(request)) {
    send(caller, encode_failure(caller, new_unique_id(), *fault));
  } else if (const auto reason = json::find_string(request.args, "fail")) {
    send(caller, encode_failure(caller, new_unique_id(), no_valid_host(std::string(*reason))));
  } else if (const auto seconds = json::find_integer(request.args, "hold")) {
    hold(caller, std::chrono::steady_clock::now() + std::chrono::seconds(*seconds));
  } else {
    send(caller, encode_result(caller, new_unique_id(), request.args));
  }
}

void EchoServer::hold(const RpcCaller& caller, std::chrono::steady_clock::time_point until) {
  if (std::chrono::steady_clock::now() >= until) return send(caller, encode_result(caller, new_unique_id(), "held"));
  send(caller, encode_heartbeat(caller, new_unique_id()));
  const auto timer = std::make_shared<boost::asio::steady_timer>(client_.context, caller.heartbeat_interval);
  timer->async_wait([this, caller, until, timer](const boost::system::error_code&) { hold(caller, until); });
}

void EchoServer::send(const RpcCaller& caller, std::string body) {
  publishing_->publish(publication_to(caller, std::move(body)), [this](const amqp::Published& published) {
    if (published.outcome == amqp::Published::Outcome::unroutable) ++returned;
  });
}

}  // namespace gantry::nova
