// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr Kind no_kind = static_cast<Kind>(200);

class SqliteCommit : public StoreTest {
 protected:
  // While it lives, the writer stands still, and all that is submitted waits together.
  class Pause {
   public:
    explicit Pause(Store& store) {
      const auto reached = std::make_shared<std::promise<void>>();
      store.submit({}, [reached, go_on = go_on_.get_future().share()](Result<void>) {
        reached->set_value();
        go_on.wait();
      });
      reached->get_future().wait();
    }
    ~Pause() { go_on_.set_value(); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    std::promise<void> go_on_;
  };
};

TEST_F(SqliteCommit, BatchesThatWaitTogetherShareATransaction) {
  const auto store = opened();
  {
    const Pause pause(*store);
    for (int i = 0; i < 1000; ++i) store->submit(put(std::to_string(i), "{}"), nullptr);
  }
  store->flush();
  EXPECT_EQ(counted("store_batches"), 1001U);
  EXPECT_EQ(counted("store_transactions"), 2U);
}

TEST_F(SqliteCommit, CommitsBatchesWrittenBehindTogetherAfterAWhile) {
  settings_.behind = std::chrono::milliseconds(300);
  const auto store = opened();
  std::promise<void> last;
  for (int i = 0; i < 50; ++i) {
    store->submit_behind(put(std::to_string(i), "{}"), [&last, i](const Result<void>& result) {
      EXPECT_TRUE(result);
      if (i == 49) last.set_value();
    });
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  last.get_future().wait();
  store->flush();
  EXPECT_EQ(counted("store_batches"), 50U);
  EXPECT_LE(counted("store_transactions"), 5U);
}

TEST_F(SqliteCommit, CommitsBatchesWrittenBehindWithTheNextBatchAndBeforeIt) {
  settings_.behind = std::chrono::hours(1);
  const auto store = opened();
  store->submit_behind(put("a", "1"), nullptr);
  store->submit_behind(put("a", "2"), nullptr);
  ASSERT_TRUE(committed(*store, put("a", "3")));
  store->flush();
  EXPECT_EQ(counted("store_transactions"), 1U);
  EXPECT_THAT(store->read(Kind::service, "", 10)->at(0).text, "3");
}

TEST_F(SqliteCommit, AFlushAndTheDestructorCommitBatchesWrittenBehindAtOnce) {
  settings_.behind = std::chrono::hours(1);
  {
    const auto store = opened();
    store->submit_behind(put("flushed", "{}"), nullptr);
    store->flush();
    EXPECT_EQ(store->read(Kind::service, "", 10)->size(), 1U);
    store->submit_behind(put("at the end", "{}"), nullptr);
  }
  EXPECT_EQ(loaded(*opened()).size(), 2U);
}

TEST_F(SqliteCommit, ATransactionIsBoundedInBytes) {
  settings_.bytes_per_transaction = 10'000;
  const auto store = opened();
  {
    const Pause pause(*store);
    for (int i = 0; i < 4; ++i) store->submit(put(std::to_string(i), std::string(6'000, 'x')), nullptr);
  }
  store->flush();
  EXPECT_EQ(counted("store_transactions"), 4U);
}

TEST_F(SqliteCommit, AnswersBatchesInTheOrderOfSubmissionRefusedOnesAmongThem) {
  const auto store = opened();
  std::vector<std::pair<int, bool>> answers;
  {
    const Pause pause(*store);
    for (int i = 0; i < 4; ++i) {
      Batch batch = i == 2 ? put("x", "{}", no_kind) : put("x", std::to_string(i));
      store->submit(std::move(batch),
                    [&answers, i](const Result<void>& result) { answers.emplace_back(i, static_cast<bool>(result)); });
    }
  }
  store->flush();
  EXPECT_THAT(answers, ElementsAre(Pair(0, true), Pair(1, true), Pair(2, false), Pair(3, true)));
}

TEST_F(SqliteCommit, UndoesABatchThatIsRefusedAtOnceBeforeSubmitReturns) {
  const auto store = opened();
  const Pause pause(*store);
  bool undone = false;
  store->submit(put("x", "{}", no_kind), nullptr, [&undone] { undone = true; });
  EXPECT_TRUE(undone);
}

TEST_F(SqliteCommit, AFailedCommitFailsAllLaterBatchesAndUndoesTheLastFirst) {
  settings_.pages = 40;
  settings_.batches_per_transaction = 1;
  const auto store = opened();
  std::mutex order;
  store->undo_under(&order);
  std::vector<std::string> events;
  {
    const Pause pause(*store);
    const auto submit = [&](const std::string& name, std::size_t bytes) {
      store->submit(
          put(name, std::string(bytes, 'f')),
          [&events, name](const Result<void>& result) { events.push_back(name + (result ? " kept" : " failed")); },
          [&, name] { events.push_back(name + (order.try_lock() ? " undone alone" : " undone")); });
    };
    submit("small", 10);
    submit("too much for the disk", 400'000);
    submit("later", 10);
    submit("last", 10);
  }
  store->flush();
  EXPECT_THAT(events, ElementsAre("small kept", "last undone", "later undone", "too much for the disk undone",
                                  "too much for the disk failed", "later failed", "last failed"));
  store->undo_under(nullptr);
  EXPECT_TRUE(committed(*store, put("again", "{}")));
}

TEST_F(SqliteCommit, HasLeftTheMutexOfUndosWhenAnotherIsNamed) {
  settings_.pages = 40;
  const auto store = opened();
  for (int i = 0; i < 20; ++i) {
    auto order = std::make_unique<std::mutex>();
    store->undo_under(order.get());
    std::promise<void> undoing;
    bool undone = false;
    store->submit(put("too much for the disk", std::string(400'000, 'f')), nullptr, [&] {
      undoing.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      undone = true;
    });
    undoing.get_future().wait();
    store->undo_under(nullptr);
    EXPECT_TRUE(undone);
    EXPECT_TRUE(order->try_lock());
    order->unlock();
  }
}

TEST_F(SqliteCommit, AnswersAnEmptyBatchInItsTurnWithoutATransaction) {
  const auto store = opened();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(committed(*store, {}));
  EXPECT_EQ(counted("store_transactions"), 0U);
  std::vector<std::string> answers;
  {
    const Pause pause(*store);
    store->submit(put("a", "{}"), [&answers](const Result<void>&) { answers.emplace_back("a"); });
    store->submit({}, [&answers](const Result<void>&) { answers.emplace_back("nothing"); });
    store->submit(put("b", "{}"), [&answers](const Result<void>&) { answers.emplace_back("b"); });
  }
  store->flush();
  EXPECT_THAT(answers, ElementsAre("a", "nothing", "b"));
  EXPECT_EQ(counted("store_transactions"), 1U);
}

TEST_F(SqliteCommit, AnEmptyBatchFailsWithTheBatchBeforeIt) {
  settings_.pages = 40;
  const auto store = opened();
  std::vector<bool> answers;
  const auto note = [&](const Result<void>& result) { answers.push_back(static_cast<bool>(result)); };
  {
    const Pause pause(*store);
    store->submit(put("too much for the disk", std::string(400'000, 'f')), note);
    store->submit({}, note);
  }
  store->flush();
  EXPECT_THAT(answers, ElementsAre(false, false));
  EXPECT_TRUE(committed(*store, {}));
}

TEST_F(SqliteCommit, AnEmptyBatchDoesNotHurryBatchesWrittenBehind) {
  settings_.behind = std::chrono::hours(1);
  const auto store = opened();
  bool answered = false;
  store->submit_behind(put("a", "{}"), nullptr);
  store->submit({}, [&answered](const Result<void>&) { answered = true; });
  EXPECT_EQ(counted("store_transactions"), 0U);
  store->flush();
  EXPECT_TRUE(answered);
  EXPECT_EQ(counted("store_transactions"), 1U);
}

TEST_F(SqliteCommit, AppliesBatchesInTheOrderOfSubmission) {
  {
    const auto store = opened();
    const Pause pause(*store);
    store->submit(put("a", "1"), nullptr);
    store->submit(removal("a"), nullptr);
    store->submit(put("a", "2"), nullptr);
    store->submit({{Kind::service, "b", "1"}, {Kind::service, "b", std::nullopt}, {Kind::service, "b", "3"}}, nullptr);
  }
  EXPECT_THAT(loaded(*opened()), ElementsAre(Pair("a", "2"), Pair("b", "3")));
}

TEST_F(SqliteCommit, ABatchThatIsRefusedIsRefusedWholeAndAlone) {
  {
    const auto store = opened();
    EXPECT_TRUE(committed(*store, put("kept", "old")));
    std::vector<bool> answers;
    const auto note = [&](Result<void> result) { answers.push_back(static_cast<bool>(result)); };
    {
      const Pause pause(*store);
      store->submit(put("before", "{}"), note);
      store->submit({{Kind::service, "half", "{}"}, {Kind::service, "kept", std::nullopt}, {no_kind, "bad", "{}"}},
                    note);
      store->submit(put("after", "{}"), note);
    }
    store->flush();
    EXPECT_THAT(answers, ElementsAre(true, false, true));
    EXPECT_EQ(counted("store_transactions"), 2U);
    EXPECT_EQ(counted("store_failed_batches"), 1U);
  }
  EXPECT_THAT(loaded(*opened()), ElementsAre(Pair("after", "{}"), Pair("before", "{}"), Pair("kept", "old")));
}

TEST_F(SqliteCommit, ADocumentThatIsTooLargeFailsItsBatchOnly) {
  settings_.bytes_per_document = 100'000;
  const auto store = opened();
  const auto result = committed(*store, {{Kind::cast, "1", "{}"}, {Kind::cast, "2", std::string(200'000, 'x')}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(result.error().message, HasSubstr("too large"));
  EXPECT_TRUE(committed(*store, put("3", "{}", Kind::cast)));
}

TEST_F(SqliteCommit, RefusesMoreThanMayWaitAndTakesMoreLater) {
  settings_.bytes_waiting = 20'000;
  const auto store = opened();
  std::vector<ErrorCode> refusals;
  int kept = 0;
  {
    const Pause pause(*store);
    for (int i = 0; i < 4; ++i) {
      store->submit(put(std::to_string(i), std::string(9'000, 'x')), [&](Result<void> result) {
        if (result) {
          ++kept;
        } else {
          refusals.push_back(result.error().code);
        }
      });
    }
  }
  store->flush();
  EXPECT_EQ(kept, 2);
  EXPECT_THAT(refusals, ElementsAre(ErrorCode::resource_exhausted, ErrorCode::resource_exhausted));
  EXPECT_TRUE(committed(*store, put("later", "{}")));
}

TEST_F(SqliteCommit, DoneMaySubmitAndFlushWithoutWaitingForItself) {
  {
    const auto store = opened();
    const auto second = std::make_shared<std::promise<void>>();
    store->submit(put("first", "{}"), [&store, second](Result<void>) {
      store->submit(put("second", "{}"), [second](Result<void>) { second->set_value(); });
      store->flush();
    });
    second->get_future().wait();
  }
  EXPECT_EQ(loaded(*opened()).size(), 2U);
}

TEST_F(SqliteCommit, FlushReturnsOnceAllBeforeItIsAnswered) {
  const auto store = opened();
  store->flush();
  int answered = 0;
  for (int i = 0; i < 100; ++i) store->submit(put(std::to_string(i), "{}"), [&](Result<void>) { ++answered; });
  store->flush();
  EXPECT_EQ(answered, 100);
}

TEST_F(SqliteCommit, DoneRunsOnOneThreadOfTheStore) {
  const auto store = opened();
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 10; ++i) store->submit({}, [&](Result<void>) { threads.push_back(std::this_thread::get_id()); });
  store->flush();
  EXPECT_THAT(threads, testing::Each(threads.front()));
  EXPECT_NE(threads.front(), std::this_thread::get_id());
}

}  // namespace
}  // namespace gantry::store
