// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>

#include "core/files/errno_text.hpp"
#include "core/files/mode_text.hpp"

namespace gantry::files {
namespace {

TEST(ModeText, WritesThePermissionBitsInOctal) {
  EXPECT_EQ(mode_text(S_IFREG | 0640), "0640");
  EXPECT_EQ(mode_text(S_IFDIR | 01777), "01777");
  EXPECT_EQ(mode_text(0007), "0007");
  EXPECT_EQ(mode_text(0), "0000");
}

TEST(ModeText, NamesTheKindOfFile) {
  EXPECT_EQ(kind_text(S_IFREG | 0640), "a regular file");
  EXPECT_EQ(kind_text(S_IFDIR), "a directory");
  EXPECT_EQ(kind_text(S_IFLNK), "a symbolic link");
  EXPECT_EQ(kind_text(S_IFIFO), "a fifo");
  EXPECT_EQ(kind_text(S_IFSOCK), "a socket");
  EXPECT_EQ(kind_text(S_IFCHR), "a device");
  EXPECT_EQ(kind_text(S_IFBLK), "a device");
}

TEST(ErrnoText, NamesTheReason) {
  EXPECT_EQ(errno_text(ENOENT), "No such file or directory");
}

}  // namespace
}  // namespace gantry::files
