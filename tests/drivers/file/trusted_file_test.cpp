// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/trusted_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const std::string& path, LastLink last = LastLink::refused) {
  const Result<files::Descriptor> file = open_trusted(path, last);
  return file ? "no error" : file.error().message;
}

class TrustedFileTest : public testing::Test {
 protected:
  TrustedDirectory directory_;
  const std::string file_ = directory_.write("file", "content");
};

TEST_F(TrustedFileTest, OpensAFileOfOurOwn) {
  EXPECT_EQ(error_of(file_), "no error");
}

TEST_F(TrustedFileTest, RefusesARelativePath) {
  EXPECT_THAT(error_of("zoo.so"), HasSubstr("absolute"));
}

TEST_F(TrustedFileTest, RefusesAFileThatGroupOrOthersMayWrite) {
  ::chmod(file_.c_str(), 0664);
  EXPECT_THAT(error_of(file_), AllOf(HasSubstr(file_), HasSubstr("mode"), HasSubstr("0664"), HasSubstr("chmod")));
  ::chmod(file_.c_str(), 0646);
  EXPECT_THAT(error_of(file_), HasSubstr("0646"));
}

TEST_F(TrustedFileTest, RefusesADirectoryOnTheWayThatOthersMayWrite) {
  const auto inner = directory_.path() / "open/inner";
  std::filesystem::create_directories(inner);
  ::chmod((directory_.path() / "open").c_str(), 0777);
  directory_.write("open/inner/file", "x");
  EXPECT_THAT(error_of((inner / "file").string()),
              AllOf(HasSubstr("directory " + (directory_.path() / "open").string()), HasSubstr("0777")));
}

TEST_F(TrustedFileTest, RefusesAStickyDirectoryAndSaysSo) {
  std::filesystem::create_directories(directory_.path() / "sticky");
  ::chmod((directory_.path() / "sticky").c_str(), 01777);
  EXPECT_THAT(error_of(directory_.write("sticky/file", "x")), AllOf(HasSubstr("sticky"), HasSubstr("01777")));
}

TEST_F(TrustedFileTest, RefusesAFileOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(::chown(file_.c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_THAT(error_of(file_), AllOf(HasSubstr("owner"), HasSubstr("user 12345")));
}

TEST_F(TrustedFileTest, RefusesALinkInTheFilesPlaceButFollowsOneInADirectorysPlace) {
  std::filesystem::create_symlink("file", directory_.path() / "link");
  EXPECT_THAT(error_of((directory_.path() / "link").string()), HasSubstr("a symbolic link"));
  EXPECT_EQ(error_of((directory_.path() / "link").string(), LastLink::followed), "no error");
  std::filesystem::create_directories(directory_.path() / "real");
  directory_.write("real/file", "x");
  std::filesystem::create_symlink("real/../real", directory_.path() / "way");
  EXPECT_EQ(error_of((directory_.path() / "way/file").string()), "no error");
}

TEST_F(TrustedFileTest, ChecksTheTargetOfALink) {
  std::filesystem::create_directories(directory_.path() / "open");
  ::chmod((directory_.path() / "open").c_str(), 0777);
  directory_.write("open/file", "x");
  std::filesystem::create_symlink(directory_.path() / "open", directory_.path() / "way");
  EXPECT_THAT(error_of((directory_.path() / "way/file").string()), HasSubstr("0777"));
}

TEST_F(TrustedFileTest, RefusesALinkThatLeadsInACircle) {
  std::filesystem::create_symlink("b", directory_.path() / "a");
  std::filesystem::create_symlink("a", directory_.path() / "b");
  EXPECT_THAT(error_of((directory_.path() / "a/file").string()), HasSubstr("symbolic links"));
}

TEST_F(TrustedFileTest, RefusesAFifoAndADirectoryWithoutWaiting) {
  const std::string fifo = (directory_.path() / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(error_of(fifo), HasSubstr("a fifo"));
  EXPECT_THAT(error_of(directory_.path().string()), HasSubstr("a directory"));
  EXPECT_FALSE(open_untrusted(fifo));
}

TEST_F(TrustedFileTest, NamesAMissingFile) {
  EXPECT_THAT(error_of(file_ + "x"), AllOf(HasSubstr(file_ + "x"), HasSubstr("No such file")));
}

}  // namespace
}  // namespace gantry::drivers
