// SPDX-License-Identifier: Apache-2.0
//
// Calls, casts, bad messages and the broker's queues, with a real RabbitMQ.
#include "core/nova/rpc/rpc_server.hpp"

#include "core/nova/rpc/reply.hpp"
#include "tests/nova/rpc/served_rpc.hpp"

namespace gantry::nova {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

struct RealRpcServer : RealRpc {};

TEST_F(RealRpcServer, AnswersARepeatedRequestOnce) {
  ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  const auto body = body_of({.args = {{"wait", true}}, .unique_id = "same"});
  caller.send_body(body);
  caller.send_body(body);
  caller.wait_for([&] { return served.counted("nova_duplicates") == 1; });
  served.handler.release();
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"wait":true})"));
  caller.send_body(body);
  caller.send({.args = {{"last", 1}}});
  EXPECT_THAT(caller.words(2), ElementsAre(R"({"wait":true})", R"({"last":1})"));
  EXPECT_EQ(served.counted("nova_duplicates"), 2U);
}

TEST_F(RealRpcServer, FailsWhatItCannotReadOrHasNoEndpointFor) {
  const ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send_body("no JSON");
  caller.send_body(std::string(9'000'000, ' ') + R"({"_msg_id":"m","_reply_q":"reply_1"})");
  caller.send_body(R"({"args":7})");
  caller.send_body(R"({"args":{},"_msg_id":"m","_reply_q":"reply_1"})");
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  caller.send_body(R"({"method":"m","args":{"a":)" + deep + R"(},"_msg_id":"m","_reply_q":"reply_1"})");
  caller.send({.method = "nope"});
  caller.send({.version = "4.6"});
  caller.send({.version = "3.0"});
  caller.send({.method = "ping", .version = "1.0", .name_space = "other"});
  caller.send({.method = "oslo_rpc_server_ping", .version = "1.0"});
  EXPECT_THAT(
      caller.words(8),
      ElementsAre(HasSubstr("InvalidInput: Invalid input received: RPC message: expected at most 8388608 bytes"),
                  "InvalidInput: Invalid input received: RPC message: expected 'method', found none",
                  HasSubstr("InvalidInput: Invalid input received: RPC message"),
                  "NoSuchMethod: Endpoint does not support RPC method nope",
                  "UnsupportedVersion: Endpoint does not support RPC version 4.6. Attempted method: "
                  "select_destinations",
                  "UnsupportedVersion: Endpoint does not support RPC version 3.0. Attempted method: "
                  "select_destinations",
                  "UnsupportedVersion: Endpoint does not support RPC version 1.0. Attempted method: ping",
                  "UnsupportedVersion: Endpoint does not support RPC version 1.0. Attempted method: "
                  "oslo_rpc_server_ping"));
  EXPECT_EQ(served.counted("nova_refused_messages"), 10U);
  EXPECT_TRUE(served.logger->has("expected at most 8388608 bytes, found 90000")) << served.logger->text();
  EXPECT_FALSE(served.logger->has("users-token"));
  served.await([](const RpcServerStatus& status) { return status.under_way == 0; });
}

TEST_F(RealRpcServer, SendsHeartbeatsUntilTheAnswer) {
  const ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"hold", 5}}, .monitor_time = 2});
  EXPECT_THAT(caller.words(1), ElementsAre(R"("held")"));
  EXPECT_GE(caller.heartbeats(), 3U);
  EXPECT_LE(caller.heartbeats(), 5U);
  caller.send({.args = {{"n", 1}}, .monitor_time = 1});
  EXPECT_EQ(caller.words(2).size(), 2U);
  EXPECT_TRUE(served.logger->has("monitor time is below 2 s"));
}

TEST_F(RealRpcServer, BringsAReplyToAQueueThatIsMadeLate) {
  const ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"late", 1}}, .reply_queue = "reply_late"});
  caller.wait_for([&] { return served.counted("nova_replies_returned") >= 2; });
  EXPECT_EQ(served.server->status().replies_waiting, 1U);
  caller.declare_replies("reply_late");
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"late":1})"));
  EXPECT_THAT(served.handler.events(), IsEmpty());
}

TEST_F(RealRpcServer, GivesTheClaimsOfAnAnswerBackThatNobodyHears) {
  auto brief = settings();
  brief.kombu_missing_consumer_retry_timeout = std::chrono::seconds(1);
  const ServedRpc served(brief);
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"claims", json::array{"c1", "c2"}}}, .reply_queue = "reply_gone"});
  caller.wait_for([&] { return served.handler.events().size() == 2; });
  const auto returned = served.counted("nova_replies_returned");
  EXPECT_GE(returned, 2U);
  caller.send({.args = {{"claims", json::array{"c3"}}}, .reply_queue = "reply_gone"});
  caller.wait_for([&] { return served.handler.events().size() == 3; });
  EXPECT_THAT(served.handler.events(), ElementsAre("gave back c1", "gave back c2", "gave back c3"));
  EXPECT_EQ(served.counted("nova_replies_returned"), returned);
  EXPECT_EQ(served.counted("nova_replies_dropped"), 2U);
  caller.wait_for([&] { return served.server->status().under_way == 0; });
}

TEST_F(RealRpcServer, HandsCastsOnAndAnswersNone) {
  const ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  EXPECT_EQ(caller.client
                .publish(*caller.channel, "scheduler_fanout", "",
                         body_of({.method = "update_aggregates", .version = "4.1", .reply_queue = ""}))
                .outcome,
            amqp::Published::Outcome::confirmed);
  caller.send_body(body_of({.method = "select_destinations", .reply_queue = ""}), "scheduler.host1");
  caller.send({.method = "nope", .reply_queue = ""});
  caller.wait_for([&] { return served.handler.events().size() == 2 && served.logger->has("no endpoint"); });
  EXPECT_THAT(served.handler.events(), UnorderedElementsAre("cast update_aggregates", "cast select_destinations"));
  EXPECT_EQ(served.server->status().under_way, 0U);
}

TEST_F(RealRpcServer, LeavesWhatIsTooMuchToTheBroker) {
  auto narrow = settings();
  narrow.most_under_way = 2;
  narrow.prefetch = 1;
  ServedRpc served(narrow);
  served.await_connection();
  TestCaller caller(connection());
  for (int i = 0; i < 6; ++i) caller.send({.args = {{"wait", true}}});
  caller.wait_for([&] { return served.handler.waiting() == 2 && caller.state_of("scheduler").messages == 3; });
  for (std::size_t i = 2; i <= 6; i += 2) {
    caller.wait_for([&] { return served.handler.waiting() == 2; });
    served.handler.release();
    EXPECT_EQ(caller.answers(i).size(), i);
  }
}

TEST_F(RealRpcServer, TakesEveryRequestBeforeASchedulerOfLowerPriorityUntilItPauses) {
  const ServedRpc standby(settings());
  standby.await_connection();
  auto preferred = settings();
  preferred.consumer_priority = 10;
  preferred.host = "host2";
  preferred.journal += "2";
  const ServedRpc served(preferred);
  served.await_connection();
  TestCaller caller(connection());
  for (int i = 0; i < 20; ++i) caller.send({.args = {{"n", i}}});
  caller.wait_for([&] { return caller.answered() == 20; });
  EXPECT_EQ(served.counted("nova_calls"), 20U);
  caller.send({.args = {{"wait", true}}});
  caller.wait_for([&] { return served.handler.waiting() == 1; });
  served.server->pause();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  for (int i = 0; i < 20; ++i) caller.send({.args = {{"n", i}}});
  caller.wait_for([&] { return caller.answered() == 40; });
  EXPECT_EQ(standby.counted("nova_calls"), 20U);
  served.server->resume();
  served.await_connection();
  for (int i = 0; i < 20; ++i) caller.send({.args = {{"n", i}}});
  caller.wait_for([&] { return caller.answered() == 60; });
  EXPECT_EQ(standby.counted("nova_calls"), 20U);
}

TEST_F(RealRpcServer, PausesAndStopsWithoutALoss) {
  ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"wait", true}}});
  caller.wait_for([&] { return served.handler.waiting() == 1; });
  served.server->pause();
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 0; });
  EXPECT_TRUE(served.server->status().is_paused);
  EXPECT_FALSE(served.server->status().is_connected);
  caller.send({.args = {{"n", 1}}});
  served.handler.release();
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"wait":true})"));
  EXPECT_EQ(caller.state_of("scheduler").messages, 1U);
  served.server->resume();
  EXPECT_THAT(caller.words(2), Contains(R"({"n":1})"));
  caller.send({.args = {{"wait", true}}});
  caller.wait_for([&] { return served.handler.waiting() == 1; });
  EXPECT_FALSE(served.server->stop(std::chrono::steady_clock::now()));
  served.handler.release();  // after the end
}

TEST_F(RealRpcServer, WaitsForRequestsUnderWayWhenItStops) {
  ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  caller.send({.args = {{"hold", 1}}});
  caller.wait_for([&] { return served.server->status().under_way == 1; });
  EXPECT_TRUE(served.server->stop(std::chrono::steady_clock::now() + std::chrono::seconds(30)));
  EXPECT_THAT(caller.words(1), ElementsAre(R"("held")"));
}

TEST_F(RealRpcServer, DeclaresAQueueAgainThatWasDeleted) {
  const ServedRpc served(settings());
  served.await_connection();
  TestCaller caller(connection());
  EXPECT_TRUE(caller.client.done([&](amqp::Done done) { caller.channel->delete_queue("scheduler", done); }));
  caller.wait_for([&] { return served.logger->has("the broker has ended a consumer"); });
  caller.wait_for([&] { return caller.state_of("scheduler").consumers == 1; });
  caller.send({.args = {{"n", 1}}});
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"n":1})"));
  EXPECT_THAT(served.handler.events(), IsEmpty());
}

TEST_F(RealRpcServer, ConsumesFromQuorumQueues) {
  auto made = settings();
  made.queues.rabbit_quorum_queue = true;
  made.topic = "quorum";
  made.control_exchange = "nova_quorum";
  const ServedRpc served(made);
  served.await_connection();
  TestCaller caller(connection());
  EXPECT_EQ(caller.client.publish(*caller.channel, "nova_quorum", "quorum", body_of({.args = {{"n", 1}}})).outcome,
            amqp::Published::Outcome::confirmed);
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"n":1})"));
}

TEST_F(RealRpcServer, TakesCastsFromAQuorumQueueOrAStreamAsNovaConfSays) {
  for (const bool is_stream : {false, true}) {
    auto made = settings();
    made.queues.rabbit_transient_quorum_queue = true;
    made.queues.rabbit_stream_fanout = is_stream;
    made.topic = is_stream ? "streamed" : "kept";
    const ServedRpc served(made);
    served.await_connection();
    TestCaller caller(connection());
    const auto body = body_of({.args = {{"host_name", "h1"}}, .method = "sync_instance_info", .reply_queue = ""});
    EXPECT_EQ(caller.client.publish(*caller.channel, made.topic + "_fanout", "", body).outcome,
              amqp::Published::Outcome::confirmed);
    caller.wait_for([&] { return served.counted("nova_casts") == 1; });
  }
}

TEST_F(RealRpcServer, UsesAQueueThatHasOtherArguments) {
  auto made = settings();
  made.topic = "other";
  made.control_exchange = "nova_other";
  TestCaller caller(connection());
  amqp::Queue other;
  other.name = "other";
  other.is_durable = true;
  amqp::Exchange exchange;
  exchange.name = "nova_other";
  exchange.is_durable = true;
  EXPECT_TRUE(caller.client.queue([&](amqp::QueueDone done) { caller.channel->declare(other, done); }));
  EXPECT_TRUE(caller.client.done([&](amqp::Done done) { caller.channel->declare(exchange, done); }));
  const ServedRpc served(made);
  served.await_connection();
  const auto call = [&](const std::string& text) {
    EXPECT_EQ(caller.client.publish(*caller.channel, "nova_other", "other", body_of({.args = {{"n", text}}})).outcome,
              amqp::Published::Outcome::confirmed);
  };
  call("1");
  EXPECT_EQ(caller.words(1).size(), 1U);
  // A queue that is gone is made as nova.conf says.
  EXPECT_TRUE(caller.client.done([&](amqp::Done done) { caller.channel->delete_queue("other", done); }));
  caller.wait_for([&] { return caller.state_of("other").consumers == 1; });
  call("2");
  EXPECT_EQ(caller.words(2).size(), 2U);
  EXPECT_EQ(served.logger->count("which=queue 'other' difference=PRECONDITION_FAILED"), 1) << served.logger->text();
  EXPECT_EQ(served.logger->count("which=exchange 'nova_other'"), 1) << served.logger->text();
  EXPECT_TRUE(served.logger->has("received 'false' but current is 'true'"));
}

TEST_F(RealRpcServer, TriesTheBrokersOfItsUrlAndSpeaksTls) {
  auto made = settings();
  made.url.brokers[0].port = broker().tls_port();
  made.ssl = true;
  made.ssl_ca_file = broker().certificate();
  for (int i = 0; i < 2; ++i) {
    made.url.brokers.push_back(made.url.brokers[0]);
    made.url.brokers.back().port = 1;
  }
  const ServedRpc served(made);
  served.await_connection();
  EXPECT_EQ(served.server->status().broker, "127.0.0.1:" + std::to_string(broker().tls_port()));
  TestCaller caller(connection());
  caller.send({.args = {{"n", 1}}});
  EXPECT_THAT(caller.words(1), ElementsAre(R"({"n":1})"));
}

TEST_F(RealRpcServer, ChecksTheNameInTheBrokersCertificateIfToldSo) {
  auto made = settings();
  made.url.brokers[0].host = "127.0.0.2";  // the certificate is for 127.0.0.1
  made.url.brokers[0].port = broker().tls_port();
  made.ssl = true;
  made.ssl_ca_file = broker().certificate();
  {
    const ServedRpc unchecked(made);
    unchecked.await_connection();
  }
  made.ssl_enforce_hostname_verification = true;
  const ServedRpc checked(made);
  TestCaller caller(connection());
  caller.wait_for([&] { return checked.server->status().trouble.find("certificate") != std::string::npos; });
  EXPECT_FALSE(checked.server->status().is_connected);
}

TEST_F(RealRpcServer, NamesWhatItCannotUse) {
  EchoHandler handler;
  const auto reason = [&](const RpcServerSettings& wrong) {
    const auto made =
        RpcServer::make(wrong, handler, telemetry::Logger::none(), std::make_shared<telemetry::Counters>());
    return made ? "" : made.error().message;
  };
  auto replicated = settings();
  replicated.queues.rabbit_ha_queues = replicated.queues.rabbit_quorum_queue = true;
  EXPECT_THAT(reason(replicated), HasSubstr("rabbit_quorum_queue and rabbit_ha_queues"));
  auto uncertified = settings();
  uncertified.ssl = true;
  uncertified.ssl_ca_file = "/no/such/file";
  EXPECT_THAT(reason(uncertified), HasSubstr("/no/such/file"));
  const ServedRpc served(settings());
  EXPECT_THAT(reason(settings()), HasSubstr("used by another process"));
}

TEST_F(RealRpcServer, SaysWhyTheBrokerIsAway) {
  auto wrong = settings();
  wrong.url.brokers[0].port = 1;
  const ServedRpc away(wrong);
  TestCaller caller(connection());
  caller.wait_for([&] { return away.server->status().trouble.find("refused") != std::string::npos; });
  EXPECT_THAT(away.server->status().trouble, HasSubstr("the broker is away since 20"));
  EXPECT_THAT(away.server->status().trouble, HasSubstr("broker 127.0.0.1:1: cannot connect: Connection refused"));
  EXPECT_FALSE(away.server->status().is_connected);
  EXPECT_THAT(away.logger->text(), Not(HasSubstr("p@ss")));
}

}  // namespace
}  // namespace gantry::nova
