// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/unix_socket.hpp"

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/scratch_directory.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::testing {
namespace {

using ::testing::HasSubstr;
using transport::listen_at;

class UnixSocket : public ::testing::Test {
 protected:
  UnixSocket() { settings_.socket = directory_.path() + "/gantry.sock"; }

  std::string refusal() const {
    const auto listener = listen_at(settings_);
    return listener ? "none" : listener.error().message;
  }
  mode_t mode() const {
    struct stat found {};
    EXPECT_EQ(stat(settings_.socket.c_str(), &found), 0);
    return found.st_mode & 07777;
  }

  support::ScratchDirectory directory_;
  config::Settings::Server settings_;
};

TEST_F(UnixSocket, HasTheModeOfTheSettingsWhateverTheUmask) {
  const mode_t before = umask(0177);
  settings_.socket_mode = 0666;
  const auto open_to_all = listen_at(settings_);
  umask(before);
  ASSERT_TRUE(open_to_all);
  EXPECT_EQ(mode(), 0666U);
  open_to_all->remove_file();
  settings_.socket_mode = 0600;
  ASSERT_TRUE(listen_at(settings_));
  EXPECT_EQ(mode(), 0600U);
}

TEST_F(UnixSocket, IsGivenToTheGroupOfTheSettings) {
  const group* own = getgrgid(getegid());
  ASSERT_NE(own, nullptr);
  settings_.socket_group = own->gr_name;
  ASSERT_TRUE(listen_at(settings_));
  struct stat found {};
  stat(settings_.socket.c_str(), &found);
  EXPECT_EQ(found.st_gid, getegid());
}

TEST_F(UnixSocket, RefusesAnUnknownGroup) {
  settings_.socket_group = "no-such-group";
  EXPECT_THAT(refusal(), HasSubstr("server.socket_group 'no-such-group': expected a group of this system"));
  EXPECT_FALSE(std::filesystem::exists(settings_.socket));
}

TEST_F(UnixSocket, ReplacesAStaleSocket) {
  { ASSERT_TRUE(listen_at(settings_)); }
  ASSERT_TRUE(std::filesystem::exists(settings_.socket));
  const auto again = listen_at(settings_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(RawConnection(settings_.socket).connected());
}

TEST_F(UnixSocket, RefusesASocketThatIsServedAndNamesTheServer) {
  const auto first = listen_at(settings_);
  ASSERT_TRUE(first);
  EXPECT_THAT(refusal(), HasSubstr("another process answers there (unix uid=" + std::to_string(getuid()) +
                                   " pid=" + std::to_string(getpid()) + ")"));
  EXPECT_TRUE(RawConnection(settings_.socket).connected());
}

TEST_F(UnixSocket, LeavesAnotherKindOfFileAlone) {
  std::ofstream(settings_.socket) << "precious";
  EXPECT_THAT(refusal(), HasSubstr("expected a socket or nothing there"));
  EXPECT_TRUE(std::filesystem::exists(settings_.socket));
}

TEST_F(UnixSocket, NeedsAnAbsolutePathThatTheKernelTakes) {
  settings_.socket = "gantry.sock";
  EXPECT_THAT(refusal(), HasSubstr("expected an absolute path"));
  settings_.socket = directory_.path() + "/" + std::string(120, 'x');
  EXPECT_THAT(refusal(), HasSubstr("expected at most 107 bytes"));
}

TEST_F(UnixSocket, NeedsAnExistingDirectory) {
  settings_.socket = directory_.path() + "/missing/gantry.sock";
  EXPECT_THAT(refusal(), HasSubstr("install -d -m 0755 " + directory_.path() + "/missing"));
}

TEST_F(UnixSocket, RefusesADirectoryThatOthersMayWrite) {
  chmod(directory_.path().c_str(), 0777);
  EXPECT_THAT(refusal(), HasSubstr("found mode 0777; run: chmod go-w " + directory_.path()));
  chmod(directory_.path().c_str(), 01777);
  EXPECT_TRUE(listen_at(settings_));
}

TEST_F(UnixSocket, RefusesADirectoryOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  ASSERT_EQ(chown(directory_.path().c_str(), 12345, 0), 0);
  EXPECT_THAT(refusal(), HasSubstr("expected owner root or uid 0, found uid 12345"));
}

TEST_F(UnixSocket, RefusesADirectoryThatAStrangeGroupMayWrite) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory to any group";
  ASSERT_EQ(chown(directory_.path().c_str(), 0, 12345), 0);
  chmod(directory_.path().c_str(), 0770);
  EXPECT_THAT(refusal(), HasSubstr("expected that only its owner may write to it, found mode 0770"));
}

TEST_F(UnixSocket, ChecksTheDirectoryThatALinkLeadsTo) {
  std::filesystem::create_directory(directory_.path() + "/open");
  chmod((directory_.path() + "/open").c_str(), 0777);
  std::filesystem::create_symlink("open", directory_.path() + "/way");
  settings_.socket = directory_.path() + "/way/gantry.sock";
  EXPECT_THAT(refusal(), HasSubstr("found mode 0777"));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + "/open/gantry.sock"));
}

TEST_F(UnixSocket, FollowsNoLinkInItsOwnPlace) {
  const auto target = directory_.path() + "/target";
  std::filesystem::create_symlink(target, settings_.socket);
  EXPECT_THAT(refusal(), HasSubstr("expected a socket or nothing there"));
  EXPECT_FALSE(std::filesystem::exists(target));
  const auto other = listen_at([&] {
    auto elsewhere = settings_;
    elsewhere.socket = target;
    return elsewhere;
  }());
  ASSERT_TRUE(other);
  EXPECT_THAT(refusal(), HasSubstr("expected a socket or nothing there"));
  EXPECT_TRUE(RawConnection(target).connected());
}

TEST_F(UnixSocket, RefusesAFifoAndADirectoryInItsPlace) {
  ASSERT_EQ(mkfifo(settings_.socket.c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("found another kind of file"));
  std::filesystem::remove(settings_.socket);
  std::filesystem::create_directory(settings_.socket);
  EXPECT_THAT(refusal(), HasSubstr("found another kind of file"));
}

// Whoever swaps the directory for a link again and again gets neither the mode nor the owner of another file changed.
TEST_F(UnixSocket, NoticesThatItsDirectoryWasSwapped) {
  namespace fs = std::filesystem;
  const auto way = directory_.path() + "/way";
  const auto theirs = directory_.path() + "/theirs";
  fs::create_directory(directory_.path() + "/own");
  fs::create_directory(theirs);
  chmod(theirs.c_str(), 0777);
  std::ofstream(theirs + "/gantry.sock") << "precious";
  chmod((theirs + "/gantry.sock").c_str(), 0600);
  fs::create_directory_symlink("own", way);
  settings_.socket = way + "/gantry.sock";
  settings_.socket_mode = 0666;
  std::atomic<bool> over{false};
  std::thread swapper([&] {
    for (bool own = false; !over; own = !own) {
      fs::create_directory_symlink(own ? "own" : "theirs", way + ".new");
      fs::rename(way + ".new", way);
    }
  });
  for (int i = 0; i < 300; ++i) static_cast<void>(listen_at(settings_));
  over = true;
  swapper.join();
  struct stat found {};
  ASSERT_EQ(lstat((theirs + "/gantry.sock").c_str(), &found), 0);
  EXPECT_TRUE(S_ISREG(found.st_mode));
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(UnixSocket, RemovesItsOwnFileAlone) {
  const auto first = listen_at(settings_);
  ASSERT_TRUE(first);
  std::filesystem::rename(settings_.socket, settings_.socket + ".old");
  const auto second = listen_at(settings_);
  ASSERT_TRUE(second);
  first->remove_file();
  EXPECT_TRUE(RawConnection(settings_.socket).connected());
  second->remove_file();
  EXPECT_FALSE(std::filesystem::exists(settings_.socket));
}

}  // namespace
}  // namespace gantry::testing
