// SPDX-License-Identifier: Apache-2.0
#include "core/files/mode_text.hpp"

#include <array>
#include <cstdio>

namespace gantry::files {

std::string mode_text(mode_t mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0%03o", static_cast<unsigned>(mode & 07777U));
  return text.data();
}

std::string kind_text(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return "a regular file";
    case S_IFDIR: return "a directory";
    case S_IFLNK: return "a symbolic link";
    case S_IFIFO: return "a fifo";
    case S_IFSOCK: return "a socket";
    case S_IFCHR:
    case S_IFBLK: return "a device";
    default: return "something else";
  }
}

}  // namespace gantry::files
