// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/journal.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace gantry::telemetry {

// Child processes inherit the variable. Its device and inode tell whether standard error still is the journal.
bool standard_error_is_the_journal() {
  const char* const announced = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (announced == nullptr || fstat(STDERR_FILENO, &status) != 0) return false;
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) == announced;
}

}  // namespace gantry::telemetry
