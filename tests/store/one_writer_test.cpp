// SPDX-License-Identifier: Apache-2.0
//
// No more than one of two processes with one store changes it, also where the lock file is of no use.
#include <thread>

#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OneWriter : public StoreTest {
 protected:
  std::string lock() const { return settings_.path + ".lock"; }

  template <class Condition>
  static bool eventually(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return condition();
  }
};

TEST_F(OneWriter, RefusesEachChangeAfterAnotherProcessHasCommitted) {
  {
    const auto store = opened();
    ASSERT_TRUE(committed(*store, put("a", "1")));
    // As a second gantryd would whose lock does not hold.
    run_sql("UPDATE meta SET value = value + 1 WHERE key = 'commits'");
    for (const char* const key : {"b", "c"}) {
      const auto refused = committed(*store, put(key, "1"));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
      EXPECT_THAT(refused.error().message, AllOf(HasSubstr(settings_.path), HasSubstr("another process writes to it"),
                                                 HasSubstr("expected commit 1"), HasSubstr("found commit 2")));
    }
    ASSERT_TRUE(store->fault());
  }
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(OneWriter, OfTwoProcessesWithoutALockTheFirstToCommitGoesOn) {
  const auto first = opened();
  ASSERT_TRUE(committed(*first, put("a", "1")));
  std::filesystem::rename(lock(), lock() + ".away");
  const auto second = opened();
  ASSERT_TRUE(second);
  ASSERT_TRUE(committed(*second, put("b", "1")));
  std::filesystem::rename(lock() + ".away", lock());
  // The lock file is the first one's again, and its state is out of date.
  EXPECT_FALSE(committed(*first, put("c", "1")));
  EXPECT_THAT(first->fault().value_or(Error()).message, HasSubstr("another process writes to it"));
}

TEST_F(OneWriter, RefusesChangesOnceItsLockFileWasRemovedOrReplaced) {
  const auto store = opened();
  ASSERT_TRUE(committed(*store, put("a", "1")));
  std::filesystem::remove(lock());
  EXPECT_THAT(committed(*store, put("b", "1")).error().message, AllOf(HasSubstr(lock()), HasSubstr("removed")));
  write_bytes(lock(), "");
  EXPECT_THAT(committed(*store, put("c", "1")).error().message, AllOf(HasSubstr(lock()), HasSubstr("replaced")));
}

TEST_F(OneWriter, NoticesAMissingLockFileWithoutAChangeAndGoesOnWhenItIsBack) {
  settings_.lock_interval = std::chrono::milliseconds(10);
  telemetry::LogSettings log;
  log.file = (directory_ / "log").string();
  settings_.logger = *telemetry::Logger::open(log);
  const auto store = opened();
  EXPECT_FALSE(store->fault());
  std::filesystem::rename(lock(), lock() + ".away");
  ASSERT_TRUE(eventually([&] { return store->fault().has_value(); }));
  EXPECT_THAT(store->fault()->message, HasSubstr(lock()));
  EXPECT_TRUE(eventually([&] { return bytes_of(log.file).find("ERROR") != std::string::npos; }));
  EXPECT_THAT(bytes_of(log.file), HasSubstr(lock()));
  std::filesystem::rename(lock() + ".away", lock());
  EXPECT_TRUE(eventually([&] { return !store->fault(); }));
  EXPECT_TRUE(committed(*store, put("a", "1")));
}

}  // namespace
}  // namespace gantry::store
