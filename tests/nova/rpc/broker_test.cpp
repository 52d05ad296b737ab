// SPDX-License-Identifier: Apache-2.0
//
// The RPC parts against a real RabbitMQ, which the program starts once, and oslo.messaging's own client.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <future>

#include "core/nova/rpc/reply.hpp"
#include "tests/nova/rpc/echo_server.hpp"
#include "tests/transport/amqp/running_broker.hpp"

namespace gantry::nova {
namespace {

using gantry::testing::RunningBroker;

struct RealRpc : ::testing::Test {
  static void TearDownTestSuite() { shared().reset(); }
  static std::unique_ptr<RunningBroker>& shared() {
    static std::unique_ptr<RunningBroker> broker;
    return broker;
  }
  void SetUp() override {
    if (const auto reason = RunningBroker::reason_to_skip(); !reason.empty()) GTEST_SKIP() << reason;
    if (!shared()) shared() = std::make_unique<RunningBroker>();
  }
  static amqp::ConnectionSettings settings() {
    const auto url = *amqp::parse_transport_url(shared()->url());
    amqp::ConnectionSettings made;
    made.host = url.brokers[0].host;
    made.port = url.brokers[0].port;
    made.login = {false, url.brokers[0].user, url.brokers[0].password, url.vhost, "gantry-test"};
    return made;
  }
};

// Debian's modules belong to Debian's own interpreter.
int exit_status_of_oslo_client(const std::string& url) {
  const std::string command = "/usr/bin/python3 -B '" GANTRY_OSLO_CLIENT "' '" + url + "'";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

TEST_F(RealRpc, AnswersOsloMessagingsOwnClient) {
  amqp::BrokerClient client(settings());
  EchoServer server(client, {});
  auto status = std::async(std::launch::async, [] { return exit_status_of_oslo_client(shared()->url()); });
  client.wait_for([&] { return status.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  const int found = status.get();
  if (found == 77) GTEST_SKIP() << "oslo.messaging is not installed: packaging/install-packages --nova";
  EXPECT_EQ(found, 0);
  EXPECT_THAT(server.casts, ::testing::ElementsAre("sync_instance_info"));
  EXPECT_EQ(server.refused, 0);
  EXPECT_THAT(client.channel_ends, ::testing::IsEmpty());
}

TEST_F(RealRpc, DropsARepeatedMessageAndAnswersABadOne) {
  amqp::BrokerClient client(settings());
  QueueOptions options;
  EchoServer server(client, options);
  const auto channel = client.channel();
  amqp::Queue replies;
  replies.name = "reply_1";
  EXPECT_TRUE(client.queue([&](amqp::QueueDone done) { channel->declare(replies, done); }));
  std::vector<std::string> heard;
  amqp::Consumer consumer;
  consumer.queue = replies.name;
  consumer.tag = "1";
  consumer.on_delivery = [&](const amqp::Delivery& delivery) { heard.push_back(delivery.body); };
  EXPECT_TRUE(client.done([&](amqp::Done done) { channel->consume(consumer, done); }));

  const std::string request =
      R"({"method":"select_destinations","args":{},"version":"4.5","_msg_id":"m","_reply_q":"reply_1","_unique_id":"same"})";
  client.publish(*channel, "nova", "scheduler", request);
  client.publish(*channel, "nova", "scheduler", request);
  client.publish(*channel, "nova", "scheduler", "no JSON");
  client.publish(*channel, "nova", "scheduler", R"({"args":{},"_msg_id":"bad","_reply_q":"reply_1"})");
  client.publish(*channel, "nova", "scheduler.host1",
                 R"({"method":"select_destinations","args":{},"version":"4.5","_msg_id":"m","_reply_q":"reply_gone"})");
  client.wait_for([&] { return heard.size() == 2 && server.refused == 2 && server.returned == 1; });
  EXPECT_THAT(heard[0], ::testing::HasSubstr("result"));
  EXPECT_THAT(heard[1], ::testing::HasSubstr("Invalid input received: RPC message: expected 'method', found none"));
}

}  // namespace
}  // namespace gantry::nova
