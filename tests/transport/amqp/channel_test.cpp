// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/channel.hpp"

#include <gmock/gmock.h>

#include <array>
#include <ostream>

#include "tests/transport/amqp/scripted_broker.hpp"

namespace gantry::amqp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ChannelTest : testing::Test {
  ChannelTest() {
    talk.open();
    channel = talk.channel();
  }
  static DialogueLimits small_limits() {
    DialogueLimits limits;
    limits.body_bytes = 10'000;
    return limits;
  }
  // Keeps the outcome of an operation under a name.
  Done note(const std::string& name) {
    return [this, name](const Result<void>& result) {
      outcomes.push_back(name + ": " +
                         (result ? "done" : std::string(name_of(result.error().code)) + ": " + result.error().message));
    };
  }
  QueueDone note_queue() {
    return [this](const Result<QueueState>& result) {
      outcomes.push_back(result ? result->name + " " + std::to_string(result->messages) + " " +
                                      std::to_string(result->consumers)
                                : std::string(name_of(result.error().code)) + ": " + result.error().message);
    };
  }
  PublishDone note_published(const std::string& name) {
    return [this, name](const Published& published) {
      constexpr std::array<std::string_view, 4> words{"confirmed", "unroutable", "refused", "unknown"};
      outcomes.push_back(name + ": " + std::string(words[static_cast<std::size_t>(published.outcome)]) +
                         (published.text.empty() ? "" : " " + published.text));
    };
  }
  void consume(const std::string& tag) {
    Consumer consumer;
    consumer.queue = "scheduler";
    consumer.tag = tag;
    consumer.arguments = {{"x-priority", std::int64_t{10}}};
    consumer.on_delivery = [this](Delivery delivery) { deliveries.push_back(std::move(delivery)); };
    consumer.on_cancelled = [this] { outcomes.emplace_back("cancelled"); };
    channel->consume(std::move(consumer), note("consume"));
    const amqp_basic_consume_ok_t answer{view_of(tag)};
    talk.dialogue.receive(say_method(1, AMQP_BASIC_CONSUME_OK_METHOD, &answer));
    outcomes.clear();
    talk.heard();
  }
  void begin_publishing() {
    channel->publish({"", "reply", true, {}, "first"}, note_published("first"));
    talk.dialogue.receive(say<amqp_confirm_select_ok_t>(1, AMQP_CONFIRM_SELECT_OK_METHOD));
  }

  Talk talk{{}, small_limits()};
  std::shared_ptr<Channel> channel;
  std::vector<std::string> outcomes;
  std::vector<Delivery> deliveries;
};

TEST_F(ChannelTest, DeclaresBindsAndAnswersInOrder) {
  Queue queue;
  queue.name = "scheduler_fanout_1";
  queue.arguments = {{"x-expires", std::int64_t{1'800'000}}};
  channel->declare(Exchange{"nova", "topic", false, false, {}}, note("exchange"));
  channel->declare(queue, note_queue());
  channel->bind({"scheduler_fanout_1", "nova", "scheduler"}, note("bind"));
  channel->limit_prefetch(64, note("prefetch"));
  const auto sent = talk.heard();
  EXPECT_THAT(methods_of(sent), ElementsAre("exchange.declare", "queue.declare", "queue.bind", "basic.qos"));
  // A signed number of 32 bits, as Nova's library writes it.
  EXPECT_THAT(sent, HasSubstr(std::string("x-expiresI\x00\x1b\x77\x40", 14)));
  talk.dialogue.receive(
      say<amqp_exchange_declare_ok_t>(1, AMQP_EXCHANGE_DECLARE_OK_METHOD) + say_queue(1, "scheduler_fanout_1", 3, 1) +
      say<amqp_queue_bind_ok_t>(1, AMQP_QUEUE_BIND_OK_METHOD) + say<amqp_basic_qos_ok_t>(1, AMQP_BASIC_QOS_OK_METHOD));
  EXPECT_THAT(outcomes, ElementsAre("exchange: done", "scheduler_fanout_1 3 1", "bind: done", "prefetch: done"));
}

TEST_F(ChannelTest, TellsAMismatchSoThatTheQueueCanBeLookedUp) {
  channel->declare(Queue{"scheduler", true, false, false, {}}, note_queue());
  channel->bind({"scheduler", "nova", "scheduler"}, note("bind"));
  talk.dialogue.receive(
      say_channel_close(1, 406, "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'scheduler'"));
  EXPECT_THAT(outcomes, ElementsAre(HasSubstr("failed_precondition: PRECONDITION_FAILED - inequivalent arg 'durable'"),
                                    HasSubstr("bind: unavailable: the channel has ended: PRECONDITION_FAILED")));
  EXPECT_THAT(talk.channel_errors, ElementsAre(HasSubstr("inequivalent arg 'durable'")));
  EXPECT_FALSE(channel->is_open());
  EXPECT_THAT(methods_of(talk.heard()), testing::Contains("channel.close-ok"));
  EXPECT_FALSE(talk.closed);

  outcomes.clear();
  channel = talk.channel();
  channel->look_up_queue("scheduler", note_queue());
  talk.dialogue.receive(say_queue(1, "scheduler", 0, 2));
  EXPECT_THAT(outcomes, ElementsAre("scheduler 0 2"));
}

TEST_F(ChannelTest, FailsOperationsAtOnceAfterItsEnd) {
  talk.dialogue.receive(say_channel_close(1, 404, "NOT_FOUND - no queue 'x'"));
  channel->look_up_queue("scheduler", note_queue());
  channel->publish({"", "q", false, {}, "x"}, note_published("publish"));
  channel->ack(1);
  EXPECT_THAT(outcomes, ElementsAre("unavailable: the channel has ended: NOT_FOUND - no queue 'x'",
                                    "publish: unknown the channel has ended: NOT_FOUND - no queue 'x'"));
}

TEST_F(ChannelTest, RefusesANameThatIsTooLong) {
  channel->look_up_queue(std::string(256, 'q'), note_queue());
  EXPECT_THAT(outcomes, ElementsAre(HasSubstr("invalid_argument: queue.declare: expected names of at most 255 bytes")));
  EXPECT_TRUE(channel->is_open());
}

TEST_F(ChannelTest, DeliversABodyOfManyFrames) {
  consume("1");
  const std::string body(9'999, 'b');
  const auto bytes = say_delivery(1, "1", 7, body, 100) + say_delivery(1, "1", 8, "");
  for (const char byte : bytes) talk.dialogue.receive({&byte, 1});
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_EQ(deliveries[0].body, body);
  EXPECT_EQ(deliveries[0].delivery_tag, 7U);
  EXPECT_TRUE(deliveries[0].is_redelivered);
  EXPECT_EQ(deliveries[0].routing_key, "scheduler");
  EXPECT_EQ(deliveries[0].properties.content_type, "application/json");
  EXPECT_EQ(deliveries[1].body, "");
  channel->ack(7);
  EXPECT_THAT(methods_of(talk.heard()), ElementsAre("basic.ack"));
}

TEST_F(ChannelTest, KeepsTheEndOfATooLargeBodyAndSaysSo) {
  consume("1");
  talk.dialogue.receive(say_delivery(1, "1", 1, std::string(100'000, 'b') + "end") + say_delivery(1, "1", 2, "small"));
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_TRUE(deliveries[0].is_too_large);
  EXPECT_EQ(deliveries[0].size, 100'003U);
  EXPECT_EQ(deliveries[0].body, std::string(kept_of_too_large - 3, 'b') + "end");
  EXPECT_EQ(deliveries[1].body, "small");
}

TEST_F(ChannelTest, TellsThatTheBrokerCancelledTheConsumer) {
  consume("1");
  const std::string tag = "1";
  const amqp_basic_cancel_t cancel{view_of(tag), 1};
  talk.dialogue.receive(say_method(1, AMQP_BASIC_CANCEL_METHOD, &cancel) + say_delivery(1, "1", 1, "late"));
  EXPECT_THAT(outcomes, ElementsAre("cancelled"));
  EXPECT_THAT(deliveries, IsEmpty());
}

TEST_F(ChannelTest, ConfirmsOneOrManyMessages) {
  begin_publishing();
  for (const auto* name : {"second", "third", "fourth"})
    channel->publish({"", "q", false, {}, name}, note_published(name));
  EXPECT_EQ(channel->unconfirmed(), 4U);
  talk.dialogue.receive(say_ack(1, 2, false));
  talk.dialogue.receive(say_ack(1, 3, true));
  talk.dialogue.receive(say_nack(1, 4));
  talk.dialogue.receive(say_ack(1, 99, false));
  EXPECT_THAT(outcomes, ElementsAre("second: confirmed", "first: confirmed", "third: confirmed",
                                    "fourth: refused the broker could not take the message"));
  EXPECT_EQ(channel->unconfirmed(), 0U);
}

TEST_F(ChannelTest, TellsWhichOfTwoMessagesForOneQueueCameBack) {
  begin_publishing();
  channel->publish({"", "reply", true, {}, "second"}, note_published("second"));
  talk.dialogue.receive(say_return(1, 2, "NO_ROUTE", "second") + say_ack(1, 2, true));
  EXPECT_THAT(outcomes, ElementsAre("first: confirmed", "second: unroutable NO_ROUTE"));
}

TEST_F(ChannelTest, DoesNotKnowWhatBecameOfAMessageWhoseChannelEnded) {
  begin_publishing();
  talk.dialogue.receive(say_channel_close(1, 404, "NOT_FOUND - no exchange 'x'"));
  EXPECT_THAT(outcomes, ElementsAre("first: unknown NOT_FOUND - no exchange 'x'"));
}

TEST_F(ChannelTest, ClosesAndDropsWhatStillArrives) {
  consume("1");
  channel->look_up_queue("scheduler", note_queue());
  channel->close(note("close"));
  talk.dialogue.receive(say_queue(1, "scheduler", 0, 0) + say_delivery(1, "1", 1, "late") +
                        say<amqp_channel_close_ok_t>(1, AMQP_CHANNEL_CLOSE_OK_METHOD));
  EXPECT_THAT(outcomes, ElementsAre(HasSubstr("unavailable: the channel has ended"), "close: done"));
  EXPECT_THAT(deliveries, IsEmpty());
  EXPECT_THAT(talk.channel_errors, IsEmpty());
  EXPECT_FALSE(talk.closed);
}

TEST_F(ChannelTest, SurvivesThatBothSidesCloseAtOnce) {
  channel->close(note("close"));
  talk.dialogue.receive(say_channel_close(1, 404, "NOT_FOUND") +
                        say<amqp_channel_close_ok_t>(1, AMQP_CHANNEL_CLOSE_OK_METHOD));
  EXPECT_THAT(outcomes, ElementsAre("close: done"));
  EXPECT_FALSE(talk.closed);
}

// Bytes that a broker must not send, and the words that the connection ends with.
struct Hostile {
  std::string bytes;
  std::string words;

  friend void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.words; }
};

class HostileContent : public ChannelTest, public testing::WithParamInterface<Hostile> {};

TEST_P(HostileContent, EndsTheConnection) {
  consume("1");
  talk.dialogue.receive(GetParam().bytes);
  ASSERT_TRUE(talk.closed);
  ASSERT_FALSE(*talk.closed);
  EXPECT_THAT(talk.closed->error().message, HasSubstr(GetParam().words));
  EXPECT_THAT(deliveries, IsEmpty());
  // Nothing that comes later is looked at.
  talk.dialogue.receive(say_delivery(1, "1", 1, "late"));
  EXPECT_THAT(deliveries, IsEmpty());
}

std::string without_last_frames(const std::string& body, std::size_t frames) {
  auto bytes = say_delivery(1, "1", 1, body);
  auto all = frames_of(bytes);
  while (frames-- > 0) {
    bytes.resize(bytes.size() - all.back().payload.size() - (all.back().method.empty() ? 8 : 12));
    all.pop_back();
  }
  return bytes;
}

INSTANTIATE_TEST_SUITE_P(
    Channel, HostileContent,
    testing::Values(
        Hostile{say_frame(FrameType::body, 1, "x"), "expected a method, found the body of a message"},
        Hostile{say_frame(FrameType::header, 1, std::string(14, '\0')), "expected the properties of a message"},
        Hostile{say_frame(FrameType::method, 1, "\x01"), "found a frame that is too short"},
        Hostile{without_last_frames("abc", 1) + say_frame(FrameType::body, 1, "abcd"), "expected a body of 3 bytes"},
        Hostile{without_last_frames("abc", 1) + say_ack(1, 1, false),
                "expected the content of a message, found basic.ack"},
        Hostile{without_last_frames("abc", 2) + say_frame(FrameType::body, 1, "abc"), "expected a method"},
        Hostile{say_queue(1, "scheduler", 0, 0), "expected no answer, found queue.declare-ok"}));

}  // namespace
}  // namespace gantry::amqp
