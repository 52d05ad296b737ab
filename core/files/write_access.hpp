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

// The trust in a file's group that may write the file.
enum class GroupWrite : std::uint8_t {
  refused,            // Each group counts as strangers.
  own_group_trusted,  // The group of this process is trusted, each other group counts as strangers.
  ignored,            // Every group is trusted.
};

// The meaning of a directory's sticky bit. The bit keeps users from replacing files of others, but not from adding
// files.
enum class StickyBit : std::uint8_t {
  ignored,   // The bit does not count: a directory that strangers may write to is open to them.
  protects,  // The bit counts: a sticky directory is closed to strangers.
};

// True if the mode lets strangers write: users other than the owner and the trusted group.
bool strangers_may_write(const struct stat& status, GroupWrite group, StickyBit sticky = StickyBit::ignored);

}  // namespace gantry::files
