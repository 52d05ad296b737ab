// SPDX-License-Identifier: Apache-2.0
//
// The directory that `gantry driver install` and `remove` work in, and what a killed one leaves there.
#include "core/cli/driver_kit/installed/staging.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "core/cli/driver_kit/replaced_file.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class StagedInstallation : public testing::Test {
 protected:
  // A process that notes the file, writes it and is killed before it is named.
  void install_and_be_killed() const {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto staging = Staging::hold(drivers_);
      const bool is_done = staging && staging->note(file_) && replace_file(file_, "new", 0644) &&
                           replace_file(new_beside(file_), "half", 0600) &&
                           replace_file(new_beside(drop_in_), "half", 0600);
      ::kill(::getpid(), is_done ? SIGKILL : SIGTERM);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  support::ScratchDirectory directory_;
  const fs::path drivers_ = directory_.path("drivers");
  const fs::path file_ = drivers_ / "spread.so";
  const fs::path drop_in_ = directory_.path("90-installed-drivers.toml");
};

TEST_F(StagedInstallation, ClearsTheFileThatAKilledInstallHasNotNamed) {
  install_and_be_killed();
  const auto staging = Staging::hold(drivers_);
  ASSERT_TRUE(staging) << staging.error().message;
  staging->clear_leftovers({}, drop_in_);
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_FALSE(fs::exists(new_beside(file_)));
  EXPECT_FALSE(fs::exists(new_beside(drop_in_)));
  EXPECT_TRUE(fs::is_empty(staging->path()));
}

TEST_F(StagedInstallation, KeepsTheFileThatTheConfigurationNames) {
  install_and_be_killed();
  InstalledDrivers installed;
  installed.drivers["spread"] = file_.string();
  const auto staging = Staging::hold(drivers_);
  ASSERT_TRUE(staging) << staging.error().message;
  staging->clear_leftovers(installed, drop_in_);
  EXPECT_TRUE(fs::exists(file_));
  EXPECT_FALSE(fs::exists(new_beside(file_)));
}

TEST_F(StagedInstallation, IsHeldByOneAtATime) {
  {
    const auto staging = Staging::hold(drivers_);
    ASSERT_TRUE(staging) << staging.error().message;
    const auto other = Staging::hold(drivers_);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("works there; try again after it"));
  }
  EXPECT_TRUE(fs::is_empty(drivers_));
}

}  // namespace
}  // namespace gantry::cli::test
