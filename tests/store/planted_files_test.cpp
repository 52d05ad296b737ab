// SPDX-License-Identifier: Apache-2.0
//
// Files and directories that somebody else could have put in the place of the store's own.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

// The store itself, and what lives beside it.
constexpr const char* names[] = {"", ".lock", "-wal", "-shm", "-journal"};

class PlantedFiles : public StoreTest {
 protected:
  void expect_refusal(const std::string& what) const {
    const auto error = refusal();
    EXPECT_EQ(error.code, ErrorCode::permission_denied) << error.message;
    EXPECT_THAT(error.message, AllOf(HasSubstr(settings_.path), HasSubstr(what)));
    const auto checked = check_sqlite_place(settings_.path);
    EXPECT_EQ(checked ? "no error" : checked.error().message, error.message) << "a check says what the start says";
  }
  std::string victim() const { return (directory_ / "victim").string(); }
};

TEST_F(PlantedFiles, ASymbolicLinkInAnyPlaceIsRefusedAndItsTargetLeftAlone) {
  for (const std::string name : names) {
    write_bytes(victim(), "precious");
    fs::remove(settings_.path + name);
    fs::create_symlink(victim(), settings_.path + name);
    expect_refusal(settings_.path + name + ": expected the file itself, found a symbolic link");
    EXPECT_EQ(bytes_of(victim()), "precious");
    fs::remove(settings_.path + name);
  }
}

TEST_F(PlantedFiles, ALinkThatLeadsNowhereMakesNoFileThere) {
  for (const std::string name : names) {
    fs::remove(settings_.path + name);
    fs::create_symlink(victim(), settings_.path + name);
    expect_refusal("found a symbolic link");
    EXPECT_FALSE(fs::exists(victim()));
    fs::remove(settings_.path + name);
  }
}

TEST_F(PlantedFiles, ASecondNameOfAFileIsRefused) {
  for (const std::string name : names) {
    write_bytes(victim(), "precious");
    fs::remove(settings_.path + name);
    fs::create_hard_link(victim(), settings_.path + name);
    expect_refusal("expected one name of the file, found 2");
    EXPECT_EQ(bytes_of(victim()), "precious");
    fs::remove(settings_.path + name);
  }
}

TEST_F(PlantedFiles, AFifoADirectoryOrASocketIsRefusedWithoutWaiting) {
  for (const std::string name : names) {
    fs::remove(settings_.path + name);
    ASSERT_EQ(mkfifo((settings_.path + name).c_str(), 0600), 0);
    expect_refusal("expected a regular file");
    fs::remove(settings_.path + name);
    fs::create_directory(settings_.path + name);
    expect_refusal("expected a regular file");
    fs::remove(settings_.path + name);
  }
}

TEST_F(PlantedFiles, AFileOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  for (const std::string name : names) {
    fs::remove(settings_.path + name);
    write_bytes(settings_.path + name, "");
    ASSERT_EQ(chown((settings_.path + name).c_str(), 12345, 0), 0);
    expect_refusal("expected owner root or uid 0, found uid 12345");
    fs::remove(settings_.path + name);
  }
}

TEST_F(PlantedFiles, ADirectoryThatOthersMayWriteIsRefusedStickyOrNot) {
  for (const mode_t mode : {0777, 01777, 0702}) {
    ASSERT_EQ(chmod(directory_.c_str(), mode), 0);
    expect_refusal("expected that only its owner may write to it, found mode");
  }
  ASSERT_EQ(chmod(directory_.c_str(), 0700), 0);
  EXPECT_TRUE(opened());
}

TEST_F(PlantedFiles, ADirectoryThatAStrangeGroupMayWriteIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory to any group";
  ASSERT_EQ(chown(directory_.c_str(), 0, 12345), 0);
  ASSERT_EQ(chmod(directory_.c_str(), 0770), 0);
  expect_refusal("found mode 0770; run: chmod go-w");
}

TEST_F(PlantedFiles, ADirectoryOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  ASSERT_EQ(chown(directory_.c_str(), 12345, 0), 0);
  expect_refusal("expected owner root or uid 0, found uid 12345");
}

TEST_F(PlantedFiles, ADirectoryAboveThatEverybodyMayWriteIsRefused) {
  const auto above = directory_ / "open";
  fs::create_directories(above / "own");
  ASSERT_EQ(chmod(above.c_str(), 0777), 0);
  settings_.path = (above / "own" / "gantry.db").string();
  expect_refusal("directory " + above.string() + " above it");
  // However it is spelt.
  settings_.path = (above / "own" / ".." / "own" / "gantry.db").string();
  expect_refusal("above it");
  fs::create_symlink(above / "own", directory_ / "way");
  settings_.path = (directory_ / "way" / "gantry.db").string();
  expect_refusal("above it");
  ASSERT_EQ(chmod(above.c_str(), 01777), 0);
  EXPECT_TRUE(opened());
}

TEST_F(PlantedFiles, APathThatIsTooLongIsRefused) {
  settings_.path = (directory_ / std::string(300, 'x')).string();
  EXPECT_THAT(refusal().message, HasSubstr("File name too long"));
  settings_.path = directory_.string();
  while (settings_.path.size() < 5'000) settings_.path += "/.";
  settings_.path += "/gantry.db";
  EXPECT_THAT(refusal().message, HasSubstr("File name too long"));
}

}  // namespace
}  // namespace gantry::store
