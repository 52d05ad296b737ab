// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>
#include <optional>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

using StoreHandover = StoreTest;

std::chrono::steady_clock::time_point soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(5);
}

TEST_F(StoreHandover, AnotherProcessFindsAllThatWasAnswered) {
  const auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  std::optional<Result<void>> behind;
  store->submit_behind({put("b", "2")}, [&](Result<void> stored) { behind = std::move(stored); });
  ASSERT_TRUE(store->let_go());
  ASSERT_TRUE(behind && *behind);
  const auto other = opened();
  EXPECT_THAT(loaded(*other), ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST_F(StoreHandover, WhatComesMeanwhileIsKeptOnceTheStoreIsTakenBack) {
  const auto store = opened();
  ASSERT_TRUE(store->let_go());
  std::optional<Result<void>> answered;
  store->submit({put("c", "3")}, [&](Result<void> stored) { answered = std::move(stored); });
  { EXPECT_TRUE(opened()); }
  ASSERT_TRUE(store->take_back(soon()));
  store->flush();
  ASSERT_TRUE(answered && *answered);
  const auto read = store->read(Kind::service, "", 10);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(read->front().key, "c");
}

TEST_F(StoreHandover, IsNotTakenBackOnceAnotherProcessHasCommitted) {
  const auto store = opened();
  ASSERT_TRUE(store->let_go());
  {
    const auto other = opened();
    EXPECT_TRUE(committed(*other, put("theirs", "1")));
  }
  const auto taken = store->take_back(soon());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(taken.error().message, HasSubstr("another process has committed"));
}

TEST_F(StoreHandover, WhatComesAfterItIsRefusedWhenItIsFlushed) {
  const auto store = opened();
  ASSERT_TRUE(store->let_go());
  std::optional<Result<void>> answered;
  bool undone = false;
  store->submit(
      {put("late", "1")}, [&](Result<void> stored) { answered = std::move(stored); }, [&] { undone = true; });
  store->flush();
  ASSERT_TRUE(answered);
  EXPECT_FALSE(*answered);
  EXPECT_TRUE(undone);
  EXPECT_THAT(loaded(*opened()), UnorderedElementsAre());
}

}  // namespace
}  // namespace gantry::store
