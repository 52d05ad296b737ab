// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/answer_queue.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string_view>

#include "core/transport/api/http_answer.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using transport::AnswerQueue;
using transport::ConnectionToken;
using transport::HttpAnswer;

HttpAnswer answer(std::string body) {
  HttpAnswer made;
  made.body = std::move(body);
  return made;
}

class AnswerQueueTest : public ::testing::Test {
 protected:
  // The bytes of the next write, sent as a whole. nullopt: nothing is ready.
  std::optional<std::string> send() {
    if (!queue_.begin_write()) return std::nullopt;
    std::string sent;
    for (const auto& part : queue_.unsent()) sent.append(static_cast<const char*>(part.data()), part.size());
    EXPECT_TRUE(queue_.sent(sent.size()));
    return sent;
  }

  AnswerQueue queue_;
};

TEST_F(AnswerQueueTest, SendsNothingBeforeAnAnswerIsReady) {
  queue_.add(ConnectionToken::none);
  EXPECT_EQ(send(), std::nullopt);
  EXPECT_EQ(queue_.size(), 1U);
}

TEST_F(AnswerQueueTest, SendsAnswersInTheOrderOfTheirRequests) {
  const auto first = queue_.add(ConnectionToken::none).number;
  const auto second = queue_.add(ConnectionToken::none).number;
  queue_.fill(*queue_.find(second), answer("second"));
  EXPECT_EQ(send(), std::nullopt);
  queue_.fill(*queue_.find(first), answer("first"));
  const auto sent = send().value_or("");
  EXPECT_LT(sent.find("first"), sent.find("second"));
  EXPECT_TRUE(queue_.is_empty());
  EXPECT_EQ(queue_.unsent_bytes(), 0U);
}

TEST_F(AnswerQueueTest, GathersSixteenAnswersInAWrite) {
  for (int i = 0; i < 20; ++i) queue_.fill(queue_.add(ConnectionToken::none), answer("{}"));
  EXPECT_TRUE(send());
  EXPECT_EQ(queue_.size(), 4U);
  EXPECT_TRUE(send());
  EXPECT_TRUE(queue_.is_empty());
}

TEST_F(AnswerQueueTest, KeepsWhatAWriteHasNotTaken) {
  queue_.fill(queue_.add(ConnectionToken::none), answer("0123456789"));
  ASSERT_TRUE(queue_.begin_write());
  const auto size = boost::asio::buffer_size(queue_.unsent());
  EXPECT_FALSE(queue_.sent(0));
  EXPECT_FALSE(queue_.sent(size - 3));
  ASSERT_EQ(boost::asio::buffer_size(queue_.unsent()), 3U);
  EXPECT_EQ(std::string_view(static_cast<const char*>(queue_.unsent().front().data()), 3), "789");
  EXPECT_TRUE(queue_.is_writing());
  EXPECT_EQ(queue_.unsent_bytes(), size);
  EXPECT_TRUE(queue_.sent(3));
  EXPECT_FALSE(queue_.is_writing());
}

TEST_F(AnswerQueueTest, BeginsOneWriteAtATime) {
  queue_.fill(queue_.add(ConnectionToken::none), answer("{}"));
  EXPECT_TRUE(queue_.begin_write());
  queue_.fill(queue_.add(ConnectionToken::none), answer("{}"));
  EXPECT_FALSE(queue_.begin_write());
}

TEST_F(AnswerQueueTest, FindsOnlySlotsThatWaitForTheirAnswers) {
  EXPECT_EQ(queue_.find(0), nullptr);
  const auto number = queue_.add(ConnectionToken::none).number;
  EXPECT_NE(queue_.find(number), nullptr);
  EXPECT_EQ(queue_.find(number + 1), nullptr);
  queue_.fill(*queue_.find(number), answer("{}"));
  EXPECT_EQ(queue_.find(number), nullptr);
  EXPECT_TRUE(send());
  EXPECT_EQ(queue_.find(number), nullptr);
}

TEST_F(AnswerQueueTest, SaysCloseOnlyOnceTheAnswerIsSent) {
  auto& slot = queue_.add(ConnectionToken::close);
  EXPECT_TRUE(queue_.is_last(slot));
  queue_.fill(slot, answer("{}"));
  EXPECT_FALSE(queue_.has_said_close());
  EXPECT_THAT(send().value_or(""), HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_TRUE(queue_.has_said_close());
}

TEST_F(AnswerQueueTest, LeavesOutTheBodyOfAnAnswerToHeadButSaysItsLength) {
  auto made = answer("0123456789");
  made.without_body = true;
  queue_.fill(queue_.add(ConnectionToken::none), std::move(made));
  const auto sent = send().value_or("");
  EXPECT_THAT(sent, HasSubstr("Content-Length: 10\r\n"));
  EXPECT_THAT(sent, ::testing::EndsWith("\r\n\r\n"));
}

TEST_F(AnswerQueueTest, InvitesABodyInItsTurn) {
  const auto first = queue_.add(ConnectionToken::none).number;
  queue_.add_continue();
  EXPECT_EQ(send(), std::nullopt);
  queue_.fill(*queue_.find(first), answer("first"));
  EXPECT_THAT(send().value_or(""), ::testing::EndsWith("firstHTTP/1.1 100 Continue\r\n\r\n"));
}

}  // namespace
}  // namespace gantry::testing
