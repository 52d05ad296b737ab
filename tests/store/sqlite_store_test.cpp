// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using SqliteStore = StoreTest;

TEST_F(SqliteStore, KeepsDocumentsAcrossReopen) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("compute/a", R"({"up":true})")));
    EXPECT_TRUE(committed(*store, put("compute/b", "{}")));
    EXPECT_TRUE(committed(*store, removal("compute/b")));
  }
  const auto store = opened();
  EXPECT_THAT(loaded(*store), ElementsAre(Pair("compute/a", R"({"up":true})")));
}

TEST_F(SqliteStore, TheLastDocumentOfAKeyStays) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("k", "1")));
    EXPECT_TRUE(committed(*store, put("k", "2")));
  }
  EXPECT_THAT(loaded(*opened()), ElementsAre(Pair("k", "2")));
}

TEST_F(SqliteStore, KeepsKindsApart) {
  constexpr Kind kinds[] = {Kind::service,  Kind::compute_node, Kind::capabilities, Kind::aggregate,   Kind::group,
                            Kind::instance, Kind::claim,        Kind::cast,         Kind::idempotency, Kind::token};
  {
    const auto store = opened();
    for (const Kind kind : kinds) {
      EXPECT_TRUE(committed(*store, put("same key", std::to_string(static_cast<int>(kind)), kind)));
    }
    EXPECT_TRUE(committed(*store, removal("same key", Kind::claim)));
  }
  const auto store = opened();
  for (const Kind kind : kinds) {
    if (kind == Kind::claim) {
      EXPECT_THAT(loaded(*store, kind), IsEmpty());
    } else {
      EXPECT_THAT(loaded(*store, kind), ElementsAre(Pair("same key", std::to_string(static_cast<int>(kind)))));
    }
  }
}

TEST_F(SqliteStore, LoadsInTheOrderOfKeys) {
  {
    const auto store = opened();
    for (const char* key : {"b", "a/2", "a", "a/10", "B", "\xc3\xa9", ""})
      EXPECT_TRUE(committed(*store, put(key, "{}")));
  }
  std::vector<std::string> keys;
  EXPECT_TRUE(opened()->load(Kind::service, [&](std::string_view key, std::string_view) {
    keys.emplace_back(key);
    return Result<void>();
  }));
  EXPECT_THAT(keys, ElementsAre("", "B", "a", "a/10", "a/2", "b", "\xc3\xa9"));
}

TEST_F(SqliteStore, KeepsEveryByteOfKeysAndDocuments) {
  const std::string key("a\0'b\"%", 6);
  const std::string document("{\"x\":\"\0\n\xf0\x9f\x90\x98\"}", 14);
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put(key, document)));
    EXPECT_TRUE(committed(*store, put("empty", "")));
  }
  EXPECT_THAT(loaded(*opened()), ElementsAre(Pair(key, document), Pair("empty", "")));
}

TEST_F(SqliteStore, StopsLoadingAtTheFirstRefusalAndNamesTheDocument) {
  {
    const auto store = opened();
    for (const char* key : {"a", "b", "c"}) EXPECT_TRUE(committed(*store, put(key, "{}")));
  }
  int visited = 0;
  const auto result = opened()->load(Kind::service, [&](std::string_view key, std::string_view) -> Result<void> {
    ++visited;
    if (key == "b") return Error{ErrorCode::internal, "no topic", {}};
    return {};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(visited, 2);
  EXPECT_THAT(result.error().message, HasSubstr(settings_.path + ": services 'b': no topic"));
}

TEST_F(SqliteStore, LoadsOnlyBeforeTheFirstSubmit) {
  const auto store = opened();
  EXPECT_THAT(loaded(*store), IsEmpty());
  EXPECT_TRUE(committed(*store, put("a", "{}")));
  const auto result = store->load(Kind::service, [](std::string_view, std::string_view) { return Result<void>(); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::failed_precondition);
}

TEST_F(SqliteStore, DescribesItselfInOneLine) {
  EXPECT_EQ(opened()->describe(), "sqlite " + settings_.path + ", schema 4");
}

TEST_F(SqliteStore, TheDestructorCommitsAndAnswersWaitingBatches) {
  int answered = 0;
  {
    const auto store = opened();
    for (int i = 0; i < 500; ++i) {
      store->submit(put(std::to_string(i), "{}"), [&](Result<void> result) { answered += result ? 1 : 0; });
    }
  }
  EXPECT_EQ(answered, 500);
  EXPECT_EQ(loaded(*opened()).size(), 500U);
}

TEST_F(SqliteStore, TakesABatchWithoutADone) {
  {
    const auto store = opened();
    store->submit(put("a", "{}"), nullptr);
    store->submit({}, nullptr);
    store->flush();
  }
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(SqliteStore, AnswersSubmitsOfManyThreadsEachInItsOrder) {
  constexpr int each = 300;
  std::vector<std::vector<int>> answered(4);
  {
    const auto store = opened();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < each; ++i) {
          store->submit(put(std::to_string(t), std::to_string(i)),
                        [&answered, t, i](Result<void>) { answered[static_cast<std::size_t>(t)].push_back(i); });
        }
      });
    }
    for (auto& thread : threads) thread.join();
    store->flush();
    for (const auto& order : answered) {
      ASSERT_EQ(order.size(), static_cast<std::size_t>(each));
      EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    }
  }
  for (const auto& [key, document] : loaded(*opened())) EXPECT_EQ(document, std::to_string(each - 1)) << key;
}

}  // namespace
}  // namespace gantry::store
