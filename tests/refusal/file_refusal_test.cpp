// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include "core/drivers/judge/driver_files.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

using FileRefusal = ZooTest;

TEST_F(FileRefusal, SaysWhereItLookedForAFileThatIsNotThere) {
  settings_.driver_directories.emplace_back("/no/such");
  EXPECT_THAT(check(), mentions({"/etc/gantry/gantry.toml:2:1", "'zoo'", directory_.path().string() + "/zoo.so",
                                 "/no/such/zoo.so", "no such file"}));
}

TEST_F(FileRefusal, RefusesAFileThatItsGroupMayWrite) {
  const std::string path = put("plain");
  ::chmod(path.c_str(), 0664);
  EXPECT_THAT(check(), mentions({path, "mode", "writable by its owner only", "found mode 0664", "chmod go-w"}));
}

TEST_F(FileRefusal, RefusesAFileThatOthersMayWrite) {
  const std::string path = put("plain");
  ::chmod(path.c_str(), 0666);
  EXPECT_THAT(check(), mentions({path, "mode", "found mode 0666"}));
}

TEST_F(FileRefusal, RefusesAFileThatIsMarkedToChangeTheUserOrTheGroup) {
  for (const mode_t bit : {S_ISUID, S_ISGID}) {
    const std::string path = put("plain");
    ASSERT_EQ(::chmod(path.c_str(), 0755 | bit), 0);
    EXPECT_THAT(check(), mentions({path, "mode", "without the bits set-user-ID and set-group-ID", "chmod ug-s it"}));
  }
}

TEST_F(FileRefusal, RefusesADirectoryThatOthersMayWrite) {
  const std::string path = put("plain");
  ::chmod(directory_.path().c_str(), 0777);
  EXPECT_THAT(check(), mentions({path, "mode", "directory " + directory_.path().string(), "found mode 0777"}));
}

TEST_F(FileRefusal, RefusesAStickyDirectorySuchAsTmp) {
  const std::string path = put("plain");
  ::chmod(directory_.path().c_str(), 01777);
  EXPECT_THAT(check(), mentions({path, "sticky directory such as /tmp", "found mode 01777"}));
}

TEST_F(FileRefusal, RefusesASymbolicLinkEvenADanglingOne) {
  const std::string path = (directory_.path() / "zoo.so").string();
  std::filesystem::create_symlink("elsewhere.so", path);
  EXPECT_THAT(check(), mentions({path, "regular file", "found a symbolic link"}));
}

TEST_F(FileRefusal, RefusesAFifoWithoutWaitingForIt) {
  const std::string path = (directory_.path() / "zoo.so").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(check(), mentions({path, "regular file", "found a fifo"}));
}

TEST_F(FileRefusal, RefusesARelativePath) {
  put("plain");
  settings_.drivers["zoo"].path = "drivers/zoo.so";
  EXPECT_THAT(check(), mentions({"drivers/zoo.so", "expected an absolute path"}));
}

TEST_F(FileRefusal, RefusesContentThatIsNotThePinnedOne) {
  const std::string path = put("plain");
  settings_.drivers["zoo"].sha256 = std::string(64, 'a');
  EXPECT_THAT(check(), mentions({path, "sha256", "expected " + std::string(64, 'a'), "found "}));
}

TEST_F(FileRefusal, AcceptsThePinnedContentInEitherCase) {
  put("plain");
  std::string digest = check_driver_files(settings_).at(0).file->sha256;
  std::transform(digest.begin(), digest.end(), digest.begin(), [](unsigned char c) { return std::toupper(c); });
  settings_.drivers["zoo"].sha256 = digest;
  EXPECT_EQ(check(), "no error");
}

TEST_F(FileRefusal, InspectsAFileWithoutCheckingItsOwnerAndMode) {
  const std::string path = put("plain");
  ::chmod(path.c_str(), 0666);
  FileRules rules;
  rules.check_owner_and_mode = false;
  const Result<DriverFile> file = open_driver_file(path, rules);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->manifest.id, "zoo");
  EXPECT_FALSE(file->libraries.empty());
}

}  // namespace
}  // namespace gantry::drivers
