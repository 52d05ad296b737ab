// SPDX-License-Identifier: Apache-2.0
//
// Opens a file only if nobody but root and the service's own user can change it or the way to it.
#pragma once

#include <string>

#include "core/drivers/file/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

enum class LastLink {
  refused,   // the path itself must be the file
  followed,  // it may be a symbolic link (libraries: libx.so.1 -> libx.so.1.2)
};

// The path is walked from / one name at a time, each directory judged through the descriptor that the next step uses:
// absolute, owner root or the service's user, no write for group or others, no sticky directories, a regular file.
// What comes back is open for reading, on exactly the file that was judged.
Result<Descriptor> open_trusted(const std::string& path, LastLink last_link);

// The same file without a question asked, for looking at it only. Never waits (as a fifo would).
Result<Descriptor> open_untrusted(const std::string& path);

}  // namespace gantry::drivers
