// SPDX-License-Identifier: Apache-2.0
#include "core/files/write_access.hpp"

#include <unistd.h>

namespace gantry::files {

namespace {

bool strange_group_may_write(const struct stat& status, GroupWrite group) {
  if ((status.st_mode & S_IWGRP) == 0) return false;
  switch (group) {
    case GroupWrite::refused: return true;
    case GroupWrite::own_group_trusted: return status.st_gid != ::getegid();
    case GroupWrite::ignored: return false;
  }
  return true;
}

}  // namespace

bool has_trusted_owner(const struct stat& status) {
  return status.st_uid == 0 || status.st_uid == ::geteuid();
}

bool strangers_may_write(const struct stat& status, GroupWrite group, StickyBit sticky) {
  if (sticky == StickyBit::protects && (status.st_mode & S_ISVTX) != 0) return false;
  return (status.st_mode & S_IWOTH) != 0 || strange_group_may_write(status, group);
}

}  // namespace gantry::files
