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

  std::vector<std::uint64_t> slots;
  std::vector<Outcome> outcomes;
  int drains = 0;
  int abandons = 0;
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
