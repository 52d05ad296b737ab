// SPDX-License-Identifier: Apache-2.0
//
// The connection against a real RabbitMQ, which the program starts once.
#include <gmock/gmock.h>

#include "core/config/nova/urls/transport_url.hpp"
#include "core/transport/amqp/reconnect.hpp"
#include "tests/transport/amqp/broker_client.hpp"
#include "tests/transport/amqp/running_broker.hpp"

namespace gantry::amqp {
namespace {

using gantry::testing::RunningBroker;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct RealBroker : ::testing::Test {
  static void TearDownTestSuite() { shared().reset(); }
  static std::unique_ptr<RunningBroker>& shared() {
    static std::unique_ptr<RunningBroker> broker;
    return broker;
  }
  void SetUp() override {
    if (const auto reason = RunningBroker::reason_to_skip(); !reason.empty()) GTEST_SKIP() << reason;
    if (!shared()) shared() = std::make_unique<RunningBroker>();
  }
  static ConnectionSettings settings() {
    const auto url = *config::nova::parse_transport_url(shared()->url());
    ConnectionSettings made;
    made.host = url.brokers[0].host;
    made.port = url.brokers[0].port;
    made.login = {false, url.brokers[0].user, url.brokers[0].password, url.vhost, "gantry-test"};
    return made;
  }
  static ConnectionSettings tls_settings(const transport::TlsClientFiles& files, bool checks_host) {
    auto made = settings();
    made.port = shared()->tls_port();
    auto loaded = transport::TlsClient::load(files, checks_host);
    EXPECT_TRUE(loaded);
    made.tls = *loaded;
    return made;
  }
  static Queue queue_named(const std::string& name) {
    Queue queue;
    queue.name = name;
    return queue;
  }
};

// A consumer that keeps what it gets.
struct Received {
  Consumer consumer(const std::string& queue, const std::string& tag) {
    return {queue,
            tag,
            {},
            [this](Delivery delivery) { deliveries.push_back(std::move(delivery)); },
            [this] { is_cancelled = true; }};
  }
  std::vector<Delivery> deliveries;
  bool is_cancelled = false;
};

TEST_F(RealBroker, DeclaresPublishesConsumesAndAcks) {
  BrokerClient client(settings());
  const auto channel = client.channel();
  Queue queue = queue_named("scheduler_fanout_1");
  queue.arguments = {{"x-expires", std::int64_t{1'800'000}}};
  EXPECT_TRUE(client.done([&](Done done) { channel->declare(Exchange{"fan", "fanout", false, true, {}}, done); }));
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue, done); }));
  EXPECT_TRUE(client.done([&](Done done) { channel->bind({queue.name, "fan", "scheduler"}, done); }));
  EXPECT_TRUE(client.done([&](Done done) { channel->limit_prefetch(1, done); }));
  // A body of more than one frame.
  const std::string large(300'000, 'x');
  EXPECT_EQ(client.publish(*channel, "fan", "", large).outcome, Published::Outcome::confirmed);
  EXPECT_EQ(client.publish(*channel, "fan", "", "second").outcome, Published::Outcome::confirmed);
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer(queue.name, "3"), done); }));
  client.wait_for([&] { return received.deliveries.size() == 1; });
  EXPECT_EQ(received.deliveries[0].body, large);
  EXPECT_EQ(received.deliveries[0].properties.content_type, "application/json");
  EXPECT_EQ(received.deliveries[0].properties.delivery_mode, 2);
  EXPECT_FALSE(received.deliveries[0].is_redelivered);
  channel->ack(received.deliveries[0].delivery_tag);
  client.wait_for([&] { return received.deliveries.size() == 2; });
  EXPECT_EQ(received.deliveries[1].body, "second");
  EXPECT_TRUE(client.done([&](Done done) { channel->cancel("3", done); }));
  // The second was not acknowledged: it comes again once the channel has ended.
  EXPECT_TRUE(client.done([&](Done done) { channel->close(done); }));
  const auto again = client.channel();
  Received rest;
  EXPECT_TRUE(client.done([&](Done done) { again->consume(rest.consumer(queue.name, "4"), done); }));
  client.wait_for([&] { return !rest.deliveries.empty(); });
  EXPECT_TRUE(rest.deliveries[0].is_redelivered);
  EXPECT_EQ(rest.deliveries[0].body, "second");
}

TEST_F(RealBroker, ReturnsAMessageThatNoQueueTakes) {
  BrokerClient client(settings());
  const auto channel = client.channel();
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("reply_1"), done); }));
  const auto returned = client.publish(*channel, "", "reply_gone", "body");
  EXPECT_EQ(returned.outcome, Published::Outcome::unroutable);
  EXPECT_EQ(returned.text, "NO_ROUTE");
  EXPECT_EQ(client.publish(*channel, "", "reply_1", "body").outcome, Published::Outcome::confirmed);
  EXPECT_EQ(client.publish(*channel, "", "reply_gone", "body", false).outcome, Published::Outcome::confirmed);
}

TEST_F(RealBroker, ConsumesFromAQueueWithOtherArguments) {
  BrokerClient client(settings());
  auto channel = client.channel();
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("scheduler"), done); }));
  Queue durable = queue_named("scheduler");
  durable.is_durable = true;
  const auto refused = client.queue([&](QueueDone done) { channel->declare(durable, done); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(
      refused.error().message,
      HasSubstr(
          "inequivalent arg 'durable' for queue 'scheduler' in vhost '/': received 'true' but current is 'false'"));
  EXPECT_FALSE(channel->is_open());
  EXPECT_TRUE(client.connection->is_open());

  channel = client.channel();
  const auto found = client.queue([&](QueueDone done) { channel->look_up_queue("scheduler", done); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->consumers, 0U);
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer("scheduler", "1"), done); }));
  EXPECT_EQ(client.publish(*channel, "", "scheduler", "x").outcome, Published::Outcome::confirmed);
  client.wait_for([&] { return received.deliveries.size() == 1; });
}

TEST_F(RealBroker, TellsWhatIsAbsent) {
  BrokerClient client(settings());
  const auto code_of = [&](const std::function<void(Channel&, Done)>& operation) {
    const auto channel = client.channel();
    const auto result = client.done([&](Done done) { operation(*channel, done); });
    return result ? std::string("done") : std::string(name_of(result.error().code));
  };
  EXPECT_EQ(code_of([](Channel& channel, Done done) { channel.look_up_exchange("absent", std::move(done)); }),
            "not_found");
  EXPECT_EQ(code_of([](Channel& channel, Done done) { channel.look_up_exchange("amq.topic", std::move(done)); }),
            "done");
  EXPECT_EQ(code_of([](Channel& channel, Done done) {
              channel.declare(Exchange{"amq.mine", "topic", false, false, {}}, std::move(done));
            }),
            "permission_denied");
  const auto channel = client.channel();
  const auto absent = client.queue([&](QueueDone done) { channel->look_up_queue("absent", done); });
  EXPECT_EQ(absent.error().code, ErrorCode::not_found);
  EXPECT_THAT(absent.error().message, HasSubstr("no queue 'absent' in vhost '/'"));
  const auto publishing = client.channel();
  const auto lost = client.publish(*publishing, "absent", "", "x");
  EXPECT_EQ(lost.outcome, Published::Outcome::unknown);
  EXPECT_THAT(lost.text, HasSubstr("no exchange 'absent'"));
}

TEST_F(RealBroker, TellsThatAQueueWasDeletedUnderItsConsumer) {
  BrokerClient client(settings());
  const auto channel = client.channel();
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("doomed"), done); }));
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer("doomed", "1"), done); }));
  const auto other = client.channel();
  EXPECT_TRUE(client.done([&](Done done) { other->delete_queue("doomed", done); }));
  client.wait_for([&] { return received.is_cancelled; });
  EXPECT_TRUE(channel->is_open());
}

TEST_F(RealBroker, DeclaresQuorumQueues) {
  BrokerClient client(settings());
  const auto channel = client.channel();
  Queue queue = queue_named("quorum");
  queue.is_durable = true;
  queue.arguments = {{"x-queue-type", "quorum"}, {"x-delivery-limit", std::int64_t{3}}};
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue, done); }));
  EXPECT_EQ(client.publish(*channel, "", "quorum", "x").outcome, Published::Outcome::confirmed);
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer("quorum", "1"), done); }));
  client.wait_for([&] { return received.deliveries.size() == 1; });
}

TEST_F(RealBroker, KeepsTheEndOfABodyAboveTheLimit) {
  auto limited = settings();
  limited.limits.body_bytes = 1000;
  BrokerClient client(limited);
  const auto channel = client.channel();
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("limited"), done); }));
  client.publish(*channel, "", "limited", std::string(1'000'000, 'x') + "end");
  client.publish(*channel, "", "limited", "small");
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer("limited", "1"), done); }));
  client.wait_for([&] { return received.deliveries.size() == 2; });
  EXPECT_TRUE(received.deliveries[0].is_too_large);
  EXPECT_EQ(received.deliveries[0].size, 1'000'003U);
  EXPECT_EQ(received.deliveries[0].body, std::string(kept_of_too_large - 3, 'x') + "end");
  EXPECT_EQ(received.deliveries[1].body, "small");
}

TEST_F(RealBroker, KeepsAnIdleConnectionByHeartbeats) {
  auto brief = settings();
  brief.limits.heartbeat = 1;
  BrokerClient client(brief);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  client.wait_for([&] { return client.closed || std::chrono::steady_clock::now() > end; });
  EXPECT_FALSE(client.closed) << *client.closed;
}

TEST_F(RealBroker, SaysThatALoginWasRefused) {
  auto wrong = settings();
  wrong.login.password = "wrong";
  BrokerClient client(wrong);
  ASSERT_TRUE(client.closed);
  EXPECT_THAT(*client.closed, HasSubstr("ACCESS_REFUSED - Login was refused"));
  EXPECT_THAT(*client.closed, ::testing::Not(HasSubstr("wrong")));
}

TEST_F(RealBroker, SaysThatTheVhostIsAbsent) {
  auto wrong = settings();
  wrong.login.vhost = "absent";
  BrokerClient client(wrong);
  ASSERT_TRUE(client.closed);
  EXPECT_THAT(*client.closed, HasSubstr("vhost absent not found"));
}

TEST_F(RealBroker, SpeaksTls) {
  BrokerClient client(tls_settings({.authorities = shared()->certificate()}, true));
  ASSERT_FALSE(client.closed) << *client.closed;
  const auto channel = client.channel();
  EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("tls"), done); }));
  Received received;
  EXPECT_TRUE(client.done([&](Done done) { channel->consume(received.consumer("tls", "1"), done); }));
  EXPECT_EQ(client.publish(*channel, "", "tls", std::string(300'000, 't')).outcome, Published::Outcome::confirmed);
  client.wait_for([&] { return received.deliveries.size() == 1; });
  EXPECT_EQ(received.deliveries[0].body.size(), 300'000U);
}

TEST_F(RealBroker, ChecksTheCertificateByTheAuthoritiesAndTheName) {
  const auto reason = [](const ConnectionSettings& made) { return BrokerClient(made).closed.value_or("open"); };
  const support::ScratchDirectory directory;
  const auto other = gantry::testing::make_certificate(directory.path(), 30, "other");
  EXPECT_EQ(reason(tls_settings({.verifies = false}, false)), "open");
  EXPECT_THAT(reason(tls_settings({.authorities = other.chain}, false)),
              HasSubstr("TLS failed: certificate verify failed"));
  auto elsewhere = tls_settings({.authorities = shared()->certificate()}, true);
  elsewhere.host = "127.0.0.2";  // the broker listens there as well, and its certificate does not say so
  EXPECT_THAT(reason(elsewhere), HasSubstr("TLS failed: certificate verify failed"));
  EXPECT_FALSE(transport::TlsClient::load({.authorities = "/no/such/file"}, false));
}

TEST_F(RealBroker, FindsTheBrokerAgainAfterItsRestart) {
  Reconnect reconnect(1, 1);
  reconnect.next();
  {
    BrokerClient client(settings());
    reconnect.note_success();
    const auto channel = client.channel();
    EXPECT_TRUE(client.queue([&](QueueDone done) { channel->declare(queue_named("transient"), done); }));
    shared()->kill();
    client.wait_for([&] { return client.closed.has_value(); });
    EXPECT_THAT(*client.closed, HasSubstr("the connection was lost"));
    EXPECT_THAT(client.channel_ends, ElementsAre(HasSubstr("the connection was lost")));
  }
  EXPECT_THAT(*BrokerClient(settings()).closed, HasSubstr("Connection refused"));
  EXPECT_EQ(reconnect.next().wait.count(), 0);
  EXPECT_EQ(reconnect.next().wait.count(), 500);
  shared()->start();
  BrokerClient client(settings());
  ASSERT_FALSE(client.closed) << *client.closed;
  const auto channel = client.channel();
  const auto gone = client.queue([&](QueueDone done) { channel->look_up_queue("transient", done); });
  EXPECT_FALSE(gone);
}

}  // namespace
}  // namespace gantry::amqp
