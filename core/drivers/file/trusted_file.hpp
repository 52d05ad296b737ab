// SPDX-License-Identifier: Apache-2.0
//
// Opens a file only if just root and the service's own user can change the file and each directory on the way to it.
#pragma once

#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

enum class LastLink {
  refused,   // The path must name the file itself.
  followed,  // The path may name a symbolic link to the file, as libraries do: libx.so.1 -> libx.so.1.2.
};

// Walks the absolute path from / one name at a time and checks each directory through the descriptor that the next step
// uses. Rules: the owner is root or the service's user, group and others may not write, sticky directories count as
// open to strangers, the file is a regular one. Returns exactly the checked file, open for reading.
Result<files::Descriptor> open_trusted(const std::string& path, LastLink last_link);

// Opens a regular file for reading without the rules of owner and mode. Never waits, as opening a fifo would.
Result<files::Descriptor> open_untrusted(const std::string& path);

}  // namespace gantry::drivers
