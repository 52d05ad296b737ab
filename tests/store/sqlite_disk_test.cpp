// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::HasSubstr;

using SqliteDisk = StoreTest;

TEST_F(SqliteDisk, AFullStoreRefusesChangesAndTakesThemAgainOnceThereIsRoom) {
  settings_.pages = 60;
  const auto store = opened();
  int kept = 0;
  Result<void> result;
  for (; kept < 1000 && (result = committed(*store, put(std::to_string(kept), std::string(3000, 'f')))); ++kept) {
  }
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::resource_exhausted);
  EXPECT_THAT(result.error().message, testing::AllOf(HasSubstr(settings_.path), HasSubstr("no space left")));
  EXPECT_GT(kept, 10);

  EXPECT_FALSE(committed(*store, put("still", std::string(8000, 'f'))));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(committed(*store, removal(std::to_string(i))));
  EXPECT_TRUE(committed(*store, put("again", std::string(3000, 'f'))));
}

TEST_F(SqliteDisk, RemovedDocumentsAreSoonInNoFileOfTheStore) {
  const std::string secret = "correct horse battery staple";
  const auto store = opened();
  ASSERT_TRUE(committed(*store, put("1", secret, Kind::cast)));
  const auto is_there = [&] {
    const auto files = {settings_.path, settings_.path + "-wal"};
    return std::any_of(files.begin(), files.end(),
                       [&](const auto& file) { return bytes_of(file).find(secret) != std::string::npos; });
  };
  ASSERT_TRUE(is_there());
  ASSERT_TRUE(committed(*store, removal("1", Kind::cast)));
  for (int i = 0; i < 100 && is_there(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(is_there());
  EXPECT_TRUE(committed(*store, put("2", "{}")));
}

TEST_F(SqliteDisk, RemovedDocumentsAreSoonInNoFileOfAStoreThatIsNeverIdle) {
  const std::string secret = "correct horse battery staple";
  const auto store = opened();
  ASSERT_TRUE(committed(*store, put("1", secret, Kind::cast)));
  ASSERT_TRUE(committed(*store, removal("1", Kind::cast)));
  const auto is_there = [&] { return bytes_of(settings_.path + "-wal").find(secret) != std::string::npos; };
  ASSERT_TRUE(is_there());
  for (int i = 0; i < 100 && is_there(); ++i) {
    ASSERT_TRUE(committed(*store, put("2", std::to_string(i))));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_FALSE(is_there());
}

TEST_F(SqliteDisk, EveryBatchOfAFailedCommitIsAnsweredWithTheError) {
  settings_.pages = 40;
  std::size_t kept = 0;
  {
    const auto store = opened();
    std::vector<bool> answers;
    for (int i = 0; i < 400; ++i) {
      store->submit(put(std::to_string(i), std::string(2000, 'f')),
                    [&](Result<void> result) { answers.push_back(static_cast<bool>(result)); });
    }
    store->flush();
    ASSERT_EQ(answers.size(), 400U);
    kept = static_cast<std::size_t>(std::count(answers.begin(), answers.end(), true));
    EXPECT_LT(kept, 400U);
  }
  settings_.pages = 0;
  EXPECT_EQ(loaded(*opened()).size(), kept);
}

// A file system of its own, full when the test says so.
class SqliteSmallDisk : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    mounted_ = mount("none", directory_.c_str(), "tmpfs", 0, "size=1m,mode=0700") == 0;
    if (!mounted_) GTEST_SKIP() << "only root can mount a small file system";
  }
  void TearDown() override {
    if (mounted_) umount(directory_.c_str());
    StoreTest::TearDown();
  }
  bool mounted_ = false;
};

TEST_F(SqliteSmallDisk, AFullDiskRefusesChangesKeepsWhatItAnsweredAndGoesOnOnceThereIsRoom) {
  const auto ballast = directory_ / "ballast";
  write_bytes(ballast, std::string(600'000, 'b'));
  int kept = 0;
  {
    const auto store = opened();
    Result<void> result;
    for (; kept < 1000 && (result = committed(*store, put(std::to_string(kept), std::string(5000, 'f')))); ++kept) {
    }
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::resource_exhausted) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(settings_.path));
    std::filesystem::remove(ballast);
    const auto again = committed(*store, put("again", std::string(5000, 'f')));
    EXPECT_TRUE(again) << again.error().message;
  }
  const auto documents = loaded(*opened());
  EXPECT_TRUE(documents.contains("again"));
  for (int i = 0; i < kept; ++i) EXPECT_TRUE(documents.contains(std::to_string(i)));
}

TEST_F(SqliteSmallDisk, ADiskThatIsFullFromTheStartIsNamed) {
  for (int i = 0; std::ofstream(directory_ / std::to_string(i)) << std::string(100'000, 'b') << std::flush; ++i) {
  }
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::resource_exhausted) << error.message;
  EXPECT_THAT(error.message, HasSubstr(settings_.path));
}

TEST_F(SqliteSmallDisk, ADiskMountedForReadingOnlyIsNamed) {
  opened();
  ASSERT_EQ(mount("none", directory_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m"), 0);
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::permission_denied);
  EXPECT_THAT(error.message, HasSubstr("Read-only file system"));
}

}  // namespace
}  // namespace gantry::store
