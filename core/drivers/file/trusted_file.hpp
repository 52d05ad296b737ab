// SPDX-License-Identifier: Apache-2.0
//
// Opens a file only if root and the service's own user alone can change the file or a directory on its path.
#pragma once

#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// The rule for a symbolic link as the last name of a path.
enum class LastLink {
  refused,   // The path must name the file itself.
  followed,  // The path may name a symbolic link to the file, as libraries do: libx.so.1 -> libx.so.1.2.
};

// Walks the absolute path from / one name at a time and checks each directory through the descriptor that the next step
// uses. Rules: the owner is root or the service's user, group and others may not write, sticky directories count as
// open to strangers, the file is a regular one. Returns exactly the checked file, open for reading.
Result<files::Descriptor> open_trusted(const std::string& path, LastLink last_link);

// Opens a regular file for reading without checks of owner and mode. Never waits: a fifo is refused at once.
Result<files::Descriptor> open_untrusted(const std::string& path);

}  // namespace gantry::drivers
