// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/connection_set.hpp"

#include <gtest/gtest.h>

#include "core/transport/session/pending_answer.hpp"

namespace gantry::testing {
namespace {

using transport::ConnectionSet;
using transport::HttpAnswer;
using transport::Outcome;
using transport::PendingAnswer;

class FakeConnection final : public transport::Connection {
 public:
  void deliver(std::uint64_t slot, Outcome outcome) override {
    slots.push_back(slot);
    outcomes.push_back(std::move(outcome));
  }
  void drain() override { ++drains; }
  void abandon() override { ++abandons; }
  void hold() override { ++holds; }
  void hold_now() override {
    if (how_held == Held::arriving) how_held = Held::ready;
  }
  void release() override { --holds; }
  Held held() const override { return how_held; }
  std::optional<transport::HandedConnection> handed() const override {
    if (how_held != Held::ready) return std::nullopt;
    return transport::HandedConnection{files::Descriptor(), "GET"};
  }

  std::vector<std::uint64_t> slots;
  std::vector<Outcome> outcomes;
  int drains = 0;
  int abandons = 0;
  int holds = 0;
  Held how_held = Held::ready;
};

class ConnectionSetTest : public ::testing::Test {
 protected:
  std::shared_ptr<FakeConnection> add() const {
    auto connection = std::make_shared<FakeConnection>();
    EXPECT_TRUE(set_->add(connection));
    return connection;
  }

  std::shared_ptr<ConnectionSet> set_ = std::make_shared<ConnectionSet>();
};

TEST_F(ConnectionSetTest, IsEmptyOnceItsLastConnectionIsRemoved) {
  const auto connection = add();
  EXPECT_FALSE(set_->wait_until_empty({}));
  set_->remove(connection.get());
  EXPECT_TRUE(set_->wait_until_empty({}));
}

TEST_F(ConnectionSetTest, DrainsEachConnection) {
  const auto first = add();
  const auto second = add();
  set_->drain();
  EXPECT_EQ(first->drains + second->drains, 2);
}

TEST_F(ConnectionSetTest, HoldsEachConnectionAndThoseThatComeUntilTheyAreReleased) {
  const auto first = add();
  set_->hold();
  const auto second = add();
  EXPECT_EQ(first->holds, 1);
  EXPECT_EQ(second->holds, 1);
  set_->release();
  EXPECT_EQ(first->holds + second->holds, 0);
}

TEST_F(ConnectionSetTest, IsHeldOnceNoRequestIsUnderWayAndHandsTheConnectionsOut) {
  const auto busy = add();
  const auto arriving = add();
  const auto leaving = add();
  busy->how_held = transport::Connection::Held::not_yet;
  arriving->how_held = transport::Connection::Held::arriving;
  leaving->how_held = transport::Connection::Held::leaving;
  set_->hold();
  EXPECT_FALSE(set_->wait_until_held({}));
  busy->how_held = transport::Connection::Held::ready;
  EXPECT_TRUE(set_->wait_until_held(std::chrono::steady_clock::now() + std::chrono::seconds(5)));
  EXPECT_EQ(set_->handed().size(), 2U);
}

TEST_F(ConnectionSetTest, PutsASuccessorInTheConnectionsPlace) {
  const auto connection = add();
  const auto successor = std::make_shared<FakeConnection>();
  EXPECT_TRUE(set_->replace(connection.get(), successor));
  set_->drain();
  EXPECT_EQ(connection->drains, 0);
  EXPECT_EQ(successor->drains, 1);
}

TEST_F(ConnectionSetTest, DrainsASuccessorThatComesWhileItIsDrained) {
  const auto connection = add();
  set_->drain();
  const auto successor = std::make_shared<FakeConnection>();
  EXPECT_TRUE(set_->replace(connection.get(), successor));
  EXPECT_EQ(successor->drains, 1);
}

TEST_F(ConnectionSetTest, AbandonsItsConnectionsAtItsCloseAndTakesNoOthers) {
  const auto connection = add();
  set_->close();
  EXPECT_EQ(connection->abandons, 1);
  EXPECT_TRUE(set_->wait_until_empty({}));
  EXPECT_FALSE(set_->add(std::make_shared<FakeConnection>()));
  EXPECT_FALSE(set_->replace(connection.get(), std::make_shared<FakeConnection>()));
}

TEST_F(ConnectionSetTest, DropsAnswersAfterItsClose) {
  const auto connection = add();
  PendingAnswer pending(set_, connection, 0);
  set_->close();
  pending.give(HttpAnswer{});
  EXPECT_TRUE(connection->slots.empty());
}

TEST_F(ConnectionSetTest, DropsTheAnswerOfAConnectionThatIsGone) {
  PendingAnswer pending(set_, std::weak_ptr<FakeConnection>(), 0);
  pending.give(HttpAnswer{});
}

TEST_F(ConnectionSetTest, DeliversTheFirstAnswerOfARequestWithItsNames) {
  const auto connection = add();
  PendingAnswer pending(set_, connection, 7);
  pending.describe("req-1", "schedule");
  pending.give(scheduling::Answer(json::value(1)));
  pending.give(scheduling::Answer(json::value(2)));
  ASSERT_EQ(connection->slots, std::vector<std::uint64_t>{7});
  EXPECT_EQ(connection->outcomes[0].request_id, "req-1");
  EXPECT_EQ(connection->outcomes[0].method, "schedule");
}

TEST_F(ConnectionSetTest, TellsTheClientOfARequestThatWasForgotten) {
  const auto connection = add();
  { const PendingAnswer forgotten(set_, connection, 7); }
  ASSERT_EQ(connection->outcomes.size(), 1U);
  const auto& answer = std::get<scheduling::Answer>(connection->outcomes[0].answer);
  EXPECT_EQ(answer.error().code, ErrorCode::internal);
}

TEST_F(ConnectionSetTest, GivesBackTheRequestsPlaceWithItsAnswer) {
  const auto connection = add();
  const auto places = std::make_shared<transport::Budget>(1);
  PendingAnswer pending(set_, connection, 7);
  pending.hold(transport::BudgetLease(places, 1));
  EXPECT_FALSE(transport::BudgetLease(places, 1));
  pending.give(HttpAnswer{});
  EXPECT_TRUE(transport::BudgetLease(places, 1));
}

}  // namespace
}  // namespace gantry::testing
