// SPDX-License-Identifier: Apache-2.0
//
// Decides who may change a file, or the names in a directory, by owner and mode. The callers open the file, choose the
// rules and word the refusal.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace gantry::files {

// True if root or the user of this process owns the file. Any other owner may change the file and its mode.
bool has_trusted_owner(const struct stat& status);

// The trust in a file's group, if the file's mode lets the group write.
enum class GroupWrite : std::uint8_t {
  refused,            // The members of every group count as strangers.
  own_group_trusted,  // The group of this process is trusted. The members of other groups count as strangers.
  ignored,            // Every group is trusted.
};

// The meaning of a directory's sticky bit for strangers_may_write. In a sticky directory a user may add files, but not
// replace the files of other users.
enum class StickyBit : std::uint8_t {
  ignored,   // The bit does not count: the mode alone decides.
  protects,  // The bit counts: strangers may not write to a sticky directory of any mode.
};

// True if the mode lets strangers write. Strangers are all users but the owner and the members of a trusted group.
bool strangers_may_write(const struct stat& status, GroupWrite group, StickyBit sticky = StickyBit::ignored);

}  // namespace gantry::files
