// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/dialogue.hpp"

#include <gmock/gmock.h>

#include "tests/transport/amqp/scripted_broker.hpp"

namespace gantry::amqp {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string reason_of(const Talk& talk) {
  if (!talk.closed) return "open";
  return *talk.closed ? "" : talk.closed->error().message;
}

TEST(Dialogue, LogsInWithUserAndPassword) {
  Login login;
  login.user = "nova";
  login.password = "p@ss";
  login.vhost = "cell1";
  login.connection_name = "gantryd:1:host";
  Talk talk(login);
  talk.dialogue.start();
  EXPECT_EQ(talk.heard(), "AMQP\x00\x00\x09\x01"s);
  talk.dialogue.receive(say_start());
  const auto start_ok = talk.heard();
  EXPECT_THAT(methods_of(start_ok), ElementsAre("connection.start-ok"));
  EXPECT_THAT(start_ok, HasSubstr("PLAIN"));
  EXPECT_THAT(start_ok, HasSubstr("\0nova\0p@ss"s));
  EXPECT_THAT(start_ok, HasSubstr("gantryd:1:host"));
  EXPECT_THAT(start_ok, HasSubstr("consumer_cancel_notify"));
  talk.dialogue.receive(say_tune(0, 0, 60));
  const auto opening = talk.heard();
  EXPECT_THAT(methods_of(opening), ElementsAre("connection.tune-ok", "connection.open"));
  EXPECT_THAT(opening, HasSubstr("cell1"));
  talk.dialogue.receive(say_open_ok());
  EXPECT_TRUE(talk.is_open);
  EXPECT_EQ(talk.dialogue.heartbeat(), 20);
  EXPECT_EQ(talk.dialogue.product(), "RabbitMQ 3.10.8");
}

TEST(Dialogue, LogsInByCertificate) {
  Login login;
  login.is_external = true;
  Talk talk(login);
  talk.dialogue.receive(say_start());
  const auto start_ok = talk.heard();
  EXPECT_THAT(start_ok, HasSubstr("EXTERNAL"));
  EXPECT_THAT(start_ok, testing::Not(HasSubstr("guest")));
}

TEST(Dialogue, NamesTheLoginsOfferedIfItsOwnIsNotAmongThem) {
  Talk talk;
  talk.dialogue.receive(say_start("AMQPLAIN PLAINER"));
  EXPECT_THAT(reason_of(talk), HasSubstr("offers the login PLAIN, found 'AMQPLAIN PLAINER'"));
}

TEST(Dialogue, HandsOnTheBrokersWordsAboutARefusedLogin) {
  Talk talk;
  talk.dialogue.receive(say_start());
  talk.dialogue.receive(
      say_connection_close(403, "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."));
  EXPECT_THAT(reason_of(talk), HasSubstr("ACCESS_REFUSED - Login was refused"));
  EXPECT_EQ(talk.closed->error().code, ErrorCode::permission_denied);
}

TEST(Dialogue, TakesTheSmallerHeartbeatAndFrame) {
  DialogueLimits limits;
  limits.heartbeat = 60;
  Talk talk({}, limits);
  talk.dialogue.receive(say_start());
  talk.dialogue.receive(say_tune(10, 4096, 5));
  EXPECT_EQ(talk.dialogue.heartbeat(), 5);
  const auto tune_ok = frames_of(talk.heard())[1].payload;
  EXPECT_EQ(tune_ok, "\x00\x0a\x00\x00\x10\x00\x00\x05"s);
}

TEST(Dialogue, HasNoHeartbeatsWhereNoneAreWanted) {
  DialogueLimits limits;
  limits.heartbeat = 0;
  Talk talk({}, limits);
  talk.dialogue.receive(say_start());
  talk.dialogue.receive(say_tune(10, 4096, 60));
  EXPECT_EQ(talk.dialogue.heartbeat(), 0);
  EXPECT_EQ(frames_of(talk.heard())[1].payload, "\x00\x0a\x00\x00\x10\x00\x00\x00"s);
}

TEST(Dialogue, RefusesAFrameLimitBelowTheStandards) {
  Talk talk;
  talk.dialogue.receive(say_start());
  talk.dialogue.receive(say_tune(0, 1000, 0));
  EXPECT_THAT(reason_of(talk), HasSubstr("at least 4096 bytes, found a limit of 1000"));
}

TEST(Dialogue, ReachesTheSameStateHoweverTheBytesAreCut) {
  const auto script = say_start() + say_tune(2047, 131072, 60) + say_open_ok() + say_frame(FrameType::heartbeat, 0, "");
  for (std::size_t cut = 0; cut <= script.size(); ++cut) {
    Talk talk;
    talk.dialogue.receive(script.substr(0, cut));
    talk.dialogue.receive(script.substr(cut));
    EXPECT_TRUE(talk.is_open) << "cut behind byte " << cut;
    EXPECT_FALSE(talk.closed);
  }
}

TEST(Dialogue, EndsWhenTheBrokerSaysSomethingElseThanExpected) {
  Talk early;
  early.dialogue.receive(say_open_ok());
  EXPECT_THAT(reason_of(early), HasSubstr("expected connection.start, found connection.open-ok"));
  Talk unknown;
  unknown.open();
  unknown.dialogue.receive(say_frame(FrameType::method, 0, "\x00\x63\x00\x01"s));
  EXPECT_THAT(reason_of(unknown), HasSubstr("method 99.1"));
  Talk no_channel;
  no_channel.open();
  no_channel.dialogue.receive(say_ack(5, 1, false));
  EXPECT_THAT(reason_of(no_channel), HasSubstr("expected a channel that is open, found 5"));
  Talk body;
  body.open();
  body.dialogue.receive(say_frame(FrameType::body, 0, "x"));
  EXPECT_THAT(reason_of(body), HasSubstr("expected no content outside of a channel"));
}

TEST(Dialogue, TakesLeave) {
  Talk talk;
  talk.open();
  talk.channel();
  talk.dialogue.close();
  EXPECT_THAT(methods_of(talk.heard()), ElementsAre("connection.close"));
  EXPECT_EQ(reason_of(talk), "open");
  talk.dialogue.receive(say_delivery(1, "1", 1, "late"));
  talk.dialogue.receive(say<amqp_connection_close_ok_t>(0, AMQP_CONNECTION_CLOSE_OK_METHOD));
  EXPECT_EQ(reason_of(talk), "");
  EXPECT_THAT(talk.channel_errors, SizeIs(1));
}

TEST(Dialogue, EndsWithTheBrokersReason) {
  Talk talk;
  talk.open();
  const auto channel = talk.channel();
  talk.dialogue.receive(say_connection_close(320, "CONNECTION_FORCED - broker forced connection closure"));
  EXPECT_THAT(methods_of(talk.heard()), ElementsAre("connection.close-ok"));
  EXPECT_THAT(reason_of(talk), HasSubstr("CONNECTION_FORCED"));
  EXPECT_THAT(talk.channel_errors, ElementsAre(HasSubstr("CONNECTION_FORCED")));
  EXPECT_FALSE(channel->is_open());
}

TEST(Dialogue, HoldsMessagesBackWhileTheBrokerIsBlocked) {
  Talk talk;
  talk.open();
  const auto channel = talk.channel();
  const auto reason = "low on memory"s;
  const amqp_connection_blocked_t blocked{view_of(reason)};
  talk.dialogue.receive(say_method(0, AMQP_CONNECTION_BLOCKED_METHOD, &blocked));
  channel->publish({"", "q", false, {}, "later"}, [](const Published&) {});
  EXPECT_THAT(methods_of(talk.heard()), ElementsAre("confirm.select"));
  talk.dialogue.receive(say<amqp_connection_unblocked_t>(0, AMQP_CONNECTION_UNBLOCKED_METHOD));
  EXPECT_THAT(methods_of(talk.heard()), ElementsAre("basic.publish"));
  EXPECT_THAT(talk.blocked, ElementsAre("low on memory", "free"));
}

TEST(Dialogue, OpensAChannelInPlaceOfOneThatEnds) {
  Talk talk;
  talk.open();
  std::shared_ptr<Channel> second;
  std::vector<std::string> outcomes;
  const auto first = talk.dialogue.open_channel([&](const Error&) {
    second = talk.dialogue.open_channel([](const Error&) {});
    second->look_up_queue("scheduler", [&](const Result<QueueState>& found) { outcomes.push_back(found->name); });
  });
  talk.dialogue.receive(say<amqp_channel_open_ok_t>(1, AMQP_CHANNEL_OPEN_OK_METHOD) +
                        say_channel_close(1, 404, "NOT_FOUND") +
                        say<amqp_channel_open_ok_t>(1, AMQP_CHANNEL_OPEN_OK_METHOD) + say_queue(1, "scheduler", 0, 0));
  EXPECT_THAT(outcomes, ElementsAre("scheduler"));
  EXPECT_FALSE(first->is_open());
  EXPECT_TRUE(second->is_open());
}

TEST(Dialogue, OpensNoMoreChannelsThanTheBrokerAllows) {
  Talk talk;
  talk.dialogue.receive(say_start());
  talk.dialogue.receive(say_tune(1, 0, 0));
  talk.dialogue.receive(say_open_ok());
  talk.heard();
  const auto first = talk.channel();
  EXPECT_TRUE(first->is_open());
  EXPECT_FALSE(talk.dialogue.open_channel([](const Error&) {})->is_open());
}

}  // namespace
}  // namespace gantry::amqp
