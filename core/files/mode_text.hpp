// SPDX-License-Identifier: Apache-2.0
//
// A file's mode in words.
#pragma once

#include <sys/stat.h>

#include <string>

namespace gantry::files {

// Returns the permission bits as an octal number in C's notation: "0640", "01777".
std::string mode_text(mode_t mode);

// Returns the kind of file with its article: "a regular file", "a symbolic link", "a fifo".
std::string kind_text(mode_t mode);

}  // namespace gantry::files
