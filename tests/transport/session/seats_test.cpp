// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/seats.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "core/transport/session/connection_set.hpp"

namespace gantry::testing {
namespace {

using ::testing::ElementsAre;
using transport::Seats;

class Client final : public transport::Connection {
 public:
  Client(std::string name, std::vector<std::string>& closed) : name_(std::move(name)), closed_(closed) {}
  void deliver(std::uint64_t, transport::Outcome) override {}
  void drain() override {}
  void abandon() override { closed_.push_back(name_); }
  void hold() override {}
  void hold_now() override {}
  void release() override {}
  Held held() const override { return Held::ready; }
  std::optional<transport::HandedConnection> handed() const override { return std::nullopt; }

 private:
  std::string name_;
  std::vector<std::string>& closed_;
};

class SeatsTest : public ::testing::Test {
 protected:
  struct Seated {
    std::unique_ptr<Seats::Seat> seat;
    std::shared_ptr<Client> client;
  };
  Seated come(const std::string& name, const std::string& source) {
    Seated seated{seats_->seat(source), std::make_shared<Client>(name, closed_)};
    if (seated.seat) seated.seat->belong_to(seated.client);
    return seated;
  }

  std::vector<std::string> closed_;
  std::shared_ptr<Seats> seats_ = std::make_shared<Seats>(Seats::Bounds{4, 3, 2});
};

TEST_F(SeatsTest, CloseTheOldestStrangerOfASourceThatHasItsShare) {
  const auto other = come("other", "b");
  const auto first = come("first", "a");
  const auto second = come("second", "a");
  const auto third = come("third", "a");
  EXPECT_THAT(closed_, ElementsAre("first"));
  EXPECT_EQ(seats_->taken(), 3U);
}

TEST_F(SeatsTest, CloseTheStrangerWhoseAnswerIsLongestAgo) {
  const auto first = come("first", "a");
  const auto second = come("second", "a");
  first.seat->note_answer();
  second.seat->note_answer();
  first.seat->note_answer();
  const auto third = come("third", "a");
  EXPECT_THAT(closed_, ElementsAre("second"));
}

TEST_F(SeatsTest, CloseAStrangerThatHadAnAnswerBeforeANewcomer) {
  const auto newcomer = come("newcomer", "a");
  const auto answered = come("answered", "a");
  answered.seat->note_answer();
  const auto third = come("third", "a");
  const auto fourth = come("fourth", "b");
  EXPECT_THAT(closed_, ElementsAre("answered"));
  const auto fifth = come("fifth", "b");
  EXPECT_THAT(closed_, ElementsAre("answered", "newcomer")) << "the oldest of all sources";
}

TEST_F(SeatsTest, KeepPlacesForKnownCallers) {
  const auto a = come("a", "a");
  const auto b = come("b", "b");
  const auto c = come("c", "c");
  const auto d = come("d", "d");
  EXPECT_THAT(closed_, ElementsAre("a"));
  d.seat->prove();
  const auto e = come("e", "e");
  EXPECT_THAT(closed_, ElementsAre("a")) << "three strangers and a known caller";
}

TEST_F(SeatsTest, NeverCloseAKnownCallerForAStranger) {
  std::vector<Seated> known;
  for (const auto* name : {"a", "b", "c", "d"}) {
    known.push_back(come(name, "x"));
    known.back().seat->prove();
  }
  EXPECT_THAT(closed_, ElementsAre());
  EXPECT_EQ(come("e", "y").seat, nullptr);
  known.pop_back();
  EXPECT_NE(come("e", "y").seat, nullptr);
}

TEST_F(SeatsTest, KnowNoShareOfASourceWithoutAddress) {
  const auto first = come("first", "");
  const auto second = come("second", "");
  const auto third = come("third", "");
  EXPECT_THAT(closed_, ElementsAre());
}

TEST_F(SeatsTest, ForgetWhoHasLeft) {
  for (int i = 0; i < 10; ++i) {
    const auto passing = come("passing", "a");
    if (i % 2 == 0) passing.seat->prove();
  }
  EXPECT_EQ(seats_->taken(), 0U);
  EXPECT_THAT(closed_, ElementsAre());
}

TEST_F(SeatsTest, CountASeatOnceThatWasTakenAway) {
  auto first = come("first", "a");
  const auto second = come("second", "a");
  const auto third = come("third", "a");
  first.seat->prove();
  first.seat.reset();
  EXPECT_EQ(seats_->taken(), 2U);
}

}  // namespace
}  // namespace gantry::testing
