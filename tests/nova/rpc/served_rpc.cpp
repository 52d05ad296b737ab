// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/rpc/served_rpc.hpp"

#include <stdexcept>
#include <thread>

#include "core/nova/rpc/reply.hpp"
#include "tests/nova/rpc/captured.hpp"

namespace gantry::nova {

using gantry::testing::RunningBroker;

void RealRpc::SetUp() {
  if (const auto reason = RunningBroker::reason_to_skip(); !reason.empty()) GTEST_SKIP() << reason;
  // A server that was killed may have left requests to the broker.
  amqp::BrokerClient client(connection());
  const auto channel = client.channel();
  EXPECT_TRUE(client.done([&](amqp::Done done) { channel->delete_queue("scheduler", done); }));
}

RunningBroker& RealRpc::broker() {
  static RunningBroker shared;
  return shared;
}

amqp::ConnectionSettings RealRpc::connection() {
  const auto url = *config::nova::parse_transport_url(broker().url());
  amqp::ConnectionSettings made;
  made.host = url.brokers[0].host;
  made.port = url.brokers[0].port;
  made.login = {false, url.brokers[0].user, url.brokers[0].password, url.vhost, "gantry-test"};
  return made;
}

RpcServerSettings RealRpc::settings() const {
  RpcServerSettings made;
  made.url = *config::nova::parse_transport_url(broker().url());
  made.host = "host1";
  made.journal = directory.path("requests.journal");
  return made;
}

std::string body_of(const TestCall& call) {
  json::object message{{"method", call.method},
                       {"args", call.args},
                       {"version", call.version},
                       {"_context_request_id", "req-1"},
                       {"_context_auth_token", "users-token"},
                       {"_unique_id", call.unique_id.empty() ? new_unique_id() : call.unique_id}};
  if (call.name_space) message["namespace"] = *call.name_space;
  if (call.monitor_time != 0) message["_timeout"] = call.monitor_time;
  if (!call.reply_queue.empty()) {
    message["_reply_q"] = call.reply_queue;
    message["_msg_id"] = new_unique_id();
  }
  return json::write(json::object{{"oslo.version", "2.0"}, {"oslo.message", json::write(message)}});
}

TestCaller::TestCaller(const amqp::ConnectionSettings& settings) : client(settings), channel(client.channel()) {
  declare_replies("reply_1");
}

void TestCaller::declare_replies(const std::string& name) {
  amqp::Queue replies;
  replies.name = name;
  replies.is_exclusive = true;
  EXPECT_TRUE(client.queue([&](amqp::QueueDone done) { channel->declare(replies, done); }));
  amqp::Consumer consumer;
  consumer.queue = name;
  consumer.tag = name;
  consumer.on_delivery = [this](const amqp::Delivery& delivery) {
    channel->ack(delivery.delivery_tag);
    auto inner = inner_of(*json::parse(delivery.body));
    if (!heard_.insert(std::string(json::find_string(inner, "_unique_id").value_or(""))).second) return;
    if (inner.at("ending").as_bool()) {
      answers_.push_back(std::move(inner));
    } else {
      ++heartbeats_;
    }
  };
  EXPECT_TRUE(client.done([&](amqp::Done done) { channel->consume(consumer, done); }));
}

void TestCaller::send_body(const std::string& body, const std::string& key) {
  using Outcome = amqp::Published::Outcome;
  EXPECT_EQ(client.publish(*channel, "nova", key, body).outcome, Outcome::confirmed) << body.substr(0, 200);
}

std::vector<json::object> TestCaller::answers(std::size_t count) {
  client.wait_for([&] { return answers_.size() >= count; });
  return answers_;
}

std::size_t TestCaller::answered() const {
  std::set<std::string_view> calls;
  for (const auto& answer : answers_) calls.insert(json::find_string(answer, "_msg_id").value_or(""));
  return calls.size();
}

std::vector<std::string> TestCaller::words(std::size_t count) {
  std::vector<std::string> texts;
  for (const auto& answer : answers(count)) {
    if (const auto failure = json::find_string(answer, "failure")) {
      const auto parts = *json::parse_object(*failure);
      texts.push_back(std::string(*json::find_string(parts, "class")) + ": " +
                      std::string(*json::find_string(parts, "message")));
    } else {
      texts.push_back(json::write(answer.at("result")));
    }
  }
  return texts;
}

amqp::QueueState TestCaller::state_of(const std::string& queue) {
  const auto probe = client.channel();
  const auto state = client.queue([&](amqp::QueueDone done) { probe->look_up_queue(queue, done); });
  if (!state) return {};
  EXPECT_TRUE(client.done([&](amqp::Done done) { probe->close(done); }));
  return *state;
}

ServedRpc::ServedRpc(const RpcServerSettings& settings) {
  auto made = RpcServer::make(settings, handler, logger, counters);
  if (!made) throw std::runtime_error(made.error().message);
  server = *std::move(made);
  server->start();
}

ServedRpc::~ServedRpc() {
  server.reset();
}

void ServedRpc::await(const std::function<bool(const RpcServerStatus& status)>& holds) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (!holds(server->status())) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("waited in vain: " + logger->text());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::uint64_t ServedRpc::counted(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const auto& entry : counters->list())
    if (entry.name == name) sum += entry.value;
  return sum;
}

}  // namespace gantry::nova
