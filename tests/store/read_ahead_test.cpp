// SPDX-License-Identifier: Apache-2.0
//
// A store that is read while another process uses it, and taken over later.
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class StoreReadAhead : public StoreTest {
 protected:
  using Changes = std::vector<std::pair<std::string, std::string>>;

  static std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
  }
  static Result<void> take_over(Store& store, bool was_let_go = true) {
    return store.take_over(in(std::chrono::seconds(5)), was_let_go);
  }
  // The changes of a kind, with "removed" for the document of a key that is gone.
  static Changes changes(Store& store, Kind kind = Kind::service) {
    Changes found;
    const auto result =
        store.load_changes(kind, [&](std::string_view key, std::optional<std::string_view> document) -> Result<void> {
          found.emplace_back(key, document.value_or("removed"));
          return {};
        });
    EXPECT_TRUE(result) << result.error().message;
    return found;
  }
};

TEST_F(StoreReadAhead, ShowsOneMomentAndThenWhatHasChangedSince) {
  const auto store = opened();
  for (const char* key : {"a", "b", "c", "e"}) EXPECT_TRUE(committed(*store, put(key, "old")));
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_TRUE(committed(*store, put("b", "new")));
  EXPECT_TRUE(committed(*store, put("d", "new")));
  EXPECT_TRUE(committed(*store, removal("e")));
  EXPECT_TRUE(committed(*store, put("f", "new")));
  EXPECT_TRUE(committed(*store, put("f", "new", Kind::token)));
  EXPECT_THAT(loaded(*next), ElementsAre(Pair("a", "old"), Pair("b", "old"), Pair("c", "old"), Pair("e", "old")));
  ASSERT_TRUE(store->let_go());
  ASSERT_TRUE(take_over(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("e", "removed"), Pair("b", "new"), Pair("d", "new"), Pair("f", "new")));
  EXPECT_THAT(changes(*next, Kind::token), ElementsAre(Pair("f", "new")));
  EXPECT_THAT(changes(*next, Kind::claim), IsEmpty());
  EXPECT_TRUE(committed(*next, put("g", "newest")));
}

// SQLite gives the number of a row that is gone to another document.
TEST_F(StoreReadAhead, KeepsADocumentThatWasRemovedAndPutAgain) {
  const auto store = opened();
  for (const char* key : {"a", "b", "c"}) EXPECT_TRUE(committed(*store, put(key, "old")));
  const auto next = open_sqlite_ahead(settings_);
  for (const char* key : {"b", "c"}) EXPECT_TRUE(committed(*store, removal(key)));
  EXPECT_TRUE(committed(*store, put("c", "new")));
  ASSERT_TRUE(store->let_go());
  ASSERT_TRUE(take_over(*next));
  const auto found = changes(*next);
  EXPECT_THAT(found, testing::UnorderedElementsAre(Pair("b", "removed"), Pair("c", "removed"), Pair("c", "new")));
  EXPECT_EQ(found.back(), (std::pair<std::string, std::string>("c", "new")));
}

TEST_F(StoreReadAhead, TellsAllAsChangedThatCouldNotBeReadAhead) {
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_THAT(loaded(*next), IsEmpty());
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("a", "1")));
  }
  ASSERT_TRUE(take_over(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("a", "1")));
}

TEST_F(StoreReadAhead, ReadsAStoreOfAnotherSchemaOnceItIsMigrated) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("a", "1")));
  }
  run_sql("PRAGMA user_version=3; DROP TABLE heartbeats");
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_THAT(loaded(*next), IsEmpty());
  ASSERT_TRUE(take_over(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("a", "1")));
}

TEST_F(StoreReadAhead, FindsAllThatAProcessHadAnsweredWhichHasEndedMeanwhile) {
  auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_THAT(loaded(*next), ElementsAre(Pair("a", "1")));
  EXPECT_TRUE(committed(*store, put("b", "2")));
  store.reset();
  ASSERT_TRUE(take_over(*next, false));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("b", "2")));
}

TEST_F(StoreReadAhead, IsNotTakenOverWhileAnotherProcessUsesIt) {
  const auto store = opened();
  const auto next = open_sqlite_ahead(settings_);
  const auto taken = next->take_over(in(std::chrono::milliseconds(20)), true);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::unavailable);
  EXPECT_THAT(taken.error().message, HasSubstr(settings_.path));
  EXPECT_TRUE(committed(*store, put("a", "1")));
}

TEST_F(StoreReadAhead, ChangesNothingThatTheOtherProcessCouldNotTakeBack) {
  const auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  auto next = open_sqlite_ahead(settings_);
  ASSERT_TRUE(store->let_go());
  ASSERT_TRUE(take_over(*next));
  EXPECT_THAT(changes(*next), IsEmpty());
  next.reset();
  ASSERT_TRUE(store->take_back(in(std::chrono::seconds(5))));
  EXPECT_TRUE(committed(*store, put("b", "2")));
}

}  // namespace
}  // namespace gantry::store
