// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/unsent_answers.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using transport::UnsentAnswers;

class Reader final : public transport::Connection {
 public:
  void deliver(std::uint64_t, transport::Outcome) override {}
  void drain() override {}
  void abandon() override { is_closed = true; }
  void hold() override {}
  void hold_now() override {}
  void release() override {}
  Held held() const override { return Held::ready; }
  std::optional<transport::HandedConnection> handed() const override { return std::nullopt; }

  bool is_closed = false;
};

class UnsentAnswersTest : public ::testing::Test {
 protected:
  const UnsentAnswers::Clock::time_point start_{1000s};
  UnsentAnswers answers_{1000};
  std::shared_ptr<Reader> a_ = std::make_shared<Reader>();
  std::shared_ptr<Reader> b_ = std::make_shared<Reader>();
  std::shared_ptr<Reader> c_ = std::make_shared<Reader>();
};

TEST_F(UnsentAnswersTest, CloseWhoHasHeldMostForLongest) {
  answers_.note(a_, 300, start_);
  answers_.note(b_, 400, start_ + 8s);
  answers_.note(c_, 400, start_ + 10s);
  EXPECT_TRUE(a_->is_closed) << "300 bytes for 10 s weigh more than 400 for 2 s";
  EXPECT_FALSE(b_->is_closed);
  EXPECT_FALSE(c_->is_closed);
  EXPECT_EQ(answers_.bytes(), 800U);
}

TEST_F(UnsentAnswersTest, CloseTheLargestOfThoseThatCameAtOnce) {
  answers_.note(a_, 400, start_);
  answers_.note(b_, 700, start_);
  EXPECT_FALSE(a_->is_closed);
  EXPECT_TRUE(b_->is_closed);
}

TEST_F(UnsentAnswersTest, CloseAsManyAsItTakes) {
  answers_.note(a_, 500, start_);
  answers_.note(b_, 500, start_ + 1s);
  answers_.note(c_, 900, start_ + 2s);
  EXPECT_TRUE(a_->is_closed);
  EXPECT_TRUE(b_->is_closed);
  EXPECT_EQ(answers_.bytes(), 900U);
}

TEST_F(UnsentAnswersTest, ForgetWhatWasTaken) {
  answers_.note(a_, 900, start_);
  answers_.note(a_, 0, start_ + 1s);
  answers_.note(b_, 900, start_ + 2s);
  answers_.forget(b_.get());
  answers_.note(c_, 900, start_ + 3s);
  answers_.note(c_, 1000, start_ + 4s);
  EXPECT_FALSE(a_->is_closed || b_->is_closed || c_->is_closed);
  EXPECT_EQ(answers_.bytes(), 1000U);
}

class HttpUnsentAnswers : public ServerTest {};

TEST_F(HttpUnsentAnswers, OfReadersThatStopAreBoundedWhileOthersAreServed) {
  settings_.max_unsent_bytes = 20 << 20;
  start();
  const std::string large = post("schedule", R"({"args":{"text":")" + std::string(4 << 20, 'x') + R"("}})");
  std::vector<RawConnection> readers;
  for (int i = 0; i < 12; ++i) {
    readers.push_back(connect());
    readers.back().send(large);
  }
  ASSERT_EQ(ask(large).status, 200);
  int served = 0;
  for (auto& reader : readers) served += reader.answer().has_value() ? 1 : 0;
  EXPECT_GT(served, 0);
  EXPECT_LT(served, 12) << "each answer that nobody took was kept";
  EXPECT_EQ(ask(numbered(1)).status, 200);
}

}  // namespace
}  // namespace gantry::testing
