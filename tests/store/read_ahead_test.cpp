// SPDX-License-Identifier: Apache-2.0
//
// A store that is read while another process uses it, and taken over later.
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "core/store/changed_keys.hpp"
#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::_;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

// Whether the process that uses the store notes what it changes meanwhile.
class StoreReadAhead : public StoreTest, public testing::WithParamInterface<bool> {
 protected:
  using Changes = std::vector<std::pair<std::string, std::string>>;

  static std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
  }
  // Opens the store for the next process, while this one uses it.
  std::unique_ptr<Store> open_ahead_of(Store& store) {
    if (GetParam()) store.note_changes();
    return open_sqlite_ahead(settings_);
  }
  // One process lets the store go, and the next takes it over.
  static void hand_over(Store& store, Store& next) {
    const auto noted = store.let_go();
    ASSERT_TRUE(noted) << noted.error().message;
    EXPECT_EQ(noted->empty(), !GetParam());
    const auto taken = next.take_over(in(std::chrono::seconds(5)), *noted);
    ASSERT_TRUE(taken) << taken.error().message;
  }
  static Result<void> take_over_from_ended(Store& store) {
    return store.take_over(in(std::chrono::seconds(5)), std::nullopt);
  }
  // The next process had not read the store when the other one let it go, with or without notes, or ended.
  static Result<void> take_over_unread(Store& store) {
    if (!GetParam()) return take_over_from_ended(store);
    return store.take_over(in(std::chrono::seconds(5)), ChangedKeys().text());
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

TEST_P(StoreReadAhead, ShowsOneMomentAndThenWhatHasChangedSince) {
  const auto store = opened();
  for (const char* key : {"a", "b", "c", "e"}) EXPECT_TRUE(committed(*store, put(key, "old")));
  const auto next = open_ahead_of(*store);
  EXPECT_TRUE(committed(*store, put("b", "new")));
  EXPECT_TRUE(committed(*store, put("d", "new")));
  EXPECT_TRUE(committed(*store, removal("e")));
  EXPECT_TRUE(committed(*store, put("f", "new")));
  EXPECT_TRUE(committed(*store, put("f", "new", Kind::token)));
  EXPECT_THAT(loaded(*next), ElementsAre(Pair("a", "old"), Pair("b", "old"), Pair("c", "old"), Pair("e", "old")));
  hand_over(*store, *next);
  EXPECT_THAT(changes(*next), ElementsAre(Pair("e", "removed"), Pair("b", "new"), Pair("d", "new"), Pair("f", "new")));
  EXPECT_THAT(changes(*next, Kind::token), ElementsAre(Pair("f", "new")));
  EXPECT_THAT(changes(*next, Kind::claim), IsEmpty());
  EXPECT_TRUE(committed(*next, put("g", "newest")));
}

// SQLite gives the number of a row that is gone to another document.
TEST_P(StoreReadAhead, KeepsADocumentThatWasRemovedAndPutAgain) {
  const auto store = opened();
  for (const char* key : {"a", "b", "c"}) EXPECT_TRUE(committed(*store, put(key, "old")));
  const auto next = open_ahead_of(*store);
  for (const char* key : {"b", "c"}) EXPECT_TRUE(committed(*store, removal(key)));
  EXPECT_TRUE(committed(*store, put("c", "new")));
  hand_over(*store, *next);
  const auto found = changes(*next);
  EXPECT_THAT(found, Contains(Pair("b", "removed")));
  EXPECT_THAT(found, Not(Contains(Pair("a", _))));
  EXPECT_EQ(found.back(), (std::pair<std::string, std::string>("c", "new")));
}

TEST_P(StoreReadAhead, TellsAllAsChangedThatCouldNotBeReadAhead) {
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_THAT(loaded(*next), IsEmpty());
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("a", "1")));
  }
  ASSERT_TRUE(take_over_unread(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("a", "1")));
}

TEST_P(StoreReadAhead, ReadsAStoreOfAnotherSchemaOnceItIsMigrated) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("a", "1")));
  }
  run_sql("PRAGMA user_version=3; DROP TABLE heartbeats");
  const auto next = open_sqlite_ahead(settings_);
  EXPECT_THAT(loaded(*next), IsEmpty());
  ASSERT_TRUE(take_over_unread(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("a", "1")));
}

TEST_P(StoreReadAhead, FindsAllThatAProcessHadAnsweredWhichHasEndedMeanwhile) {
  auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  const auto next = open_ahead_of(*store);
  EXPECT_THAT(loaded(*next), ElementsAre(Pair("a", "1")));
  EXPECT_TRUE(committed(*store, put("b", "2")));
  store.reset();
  ASSERT_TRUE(take_over_from_ended(*next));
  EXPECT_THAT(changes(*next), ElementsAre(Pair("b", "2")));
}

TEST_P(StoreReadAhead, IsNotTakenOverWhileAnotherProcessUsesIt) {
  const auto store = opened();
  const auto next = open_ahead_of(*store);
  const auto taken = next->take_over(in(std::chrono::milliseconds(20)), "");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::unavailable);
  EXPECT_THAT(taken.error().message, HasSubstr(settings_.path));
  EXPECT_TRUE(committed(*store, put("a", "1")));
}

TEST_P(StoreReadAhead, ChangesNothingThatTheOtherProcessCouldNotTakeBack) {
  const auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  auto next = open_ahead_of(*store);
  hand_over(*store, *next);
  EXPECT_THAT(changes(*next), IsEmpty());
  next.reset();
  ASSERT_TRUE(store->take_back(in(std::chrono::seconds(5))));
  EXPECT_TRUE(committed(*store, put("b", "2")));
}

TEST_P(StoreReadAhead, FindsMoreChangesThanAreNoted) {
  const auto store = opened();
  EXPECT_TRUE(committed(*store, put("a", "1")));
  const auto next = open_ahead_of(*store);
  Batch many;
  for (int number = 0; number < 30'000; ++number) many.push_back(put("k" + std::to_string(number), "2").front());
  EXPECT_TRUE(committed(*store, std::move(many)));
  const auto noted = store->let_go();
  ASSERT_TRUE(noted && noted->empty());
  ASSERT_TRUE(next->take_over(in(std::chrono::seconds(5)), *noted));
  EXPECT_EQ(changes(*next).size(), 30'000U);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutNotes, StoreReadAhead, testing::Bool(),
                         [](const auto& noted) { return noted.param ? "Noted" : "NotNoted"; });

}  // namespace
}  // namespace gantry::store
