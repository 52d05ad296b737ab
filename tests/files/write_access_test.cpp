// SPDX-License-Identifier: Apache-2.0
#include "core/files/write_access.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gantry::files {
namespace {

struct stat status_of(mode_t mode, gid_t group = ::getegid()) {
  struct stat status {};
  status.st_mode = mode;
  status.st_uid = ::geteuid();
  status.st_gid = group;
  return status;
}

struct stat owned_by(uid_t user) {
  struct stat status {};
  status.st_uid = user;
  return status;
}

constexpr mode_t regular_file = S_IFREG;
constexpr mode_t plain_directory = S_IFDIR;

TEST(TrustedOwner, IsRootOrTheUserOfTheProcess) {
  EXPECT_TRUE(has_trusted_owner(owned_by(0)));
  EXPECT_TRUE(has_trusted_owner(owned_by(::geteuid())));
  EXPECT_FALSE(has_trusted_owner(owned_by(::geteuid() + 12345)));
}

TEST(WriteAccess, IsClosedToStrangersWhenOnlyTheOwnerMayWrite) {
  for (const auto group : {GroupWrite::refused, GroupWrite::own_group_trusted, GroupWrite::ignored})
    EXPECT_FALSE(strangers_may_write(status_of(regular_file | 0755), group));
}

TEST(WriteAccess, IsOpenToStrangersWhenOthersMayWrite) {
  for (const auto group : {GroupWrite::refused, GroupWrite::own_group_trusted, GroupWrite::ignored})
    EXPECT_TRUE(strangers_may_write(status_of(regular_file | 0702), group));
}

TEST(WriteAccess, CountsTheOwnGroupAsStrangersOnlyWhereEachGroupIsRefused) {
  const auto status = status_of(regular_file | 0660);
  EXPECT_TRUE(strangers_may_write(status, GroupWrite::refused));
  EXPECT_FALSE(strangers_may_write(status, GroupWrite::own_group_trusted));
  EXPECT_FALSE(strangers_may_write(status, GroupWrite::ignored));
}

TEST(WriteAccess, CountsAnotherGroupAsStrangersUnlessGroupsAreIgnored) {
  const auto status = status_of(regular_file | 0660, ::getegid() + 12345);
  EXPECT_TRUE(strangers_may_write(status, GroupWrite::refused));
  EXPECT_TRUE(strangers_may_write(status, GroupWrite::own_group_trusted));
  EXPECT_FALSE(strangers_may_write(status, GroupWrite::ignored));
}

TEST(WriteAccess, IsOpenInAStickyDirectoryUnlessTheBitProtects) {
  const auto status = status_of(plain_directory | 01777);
  EXPECT_TRUE(strangers_may_write(status, GroupWrite::refused));
  EXPECT_FALSE(strangers_may_write(status, GroupWrite::refused, StickyBit::protects));
  EXPECT_TRUE(strangers_may_write(status_of(plain_directory | 0777), GroupWrite::refused, StickyBit::protects));
}

}  // namespace
}  // namespace gantry::files
