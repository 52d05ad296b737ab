// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/filter_writer.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "core/files/errno_text.hpp"

namespace gantry::drivers::isolated {

Result<void> FilterWriter::install() {
  const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
  const long failed = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (failed == 0) return {};
  const std::string found = failed > 0 ? "a thread with a filter of its own" : files::errno_text(errno);
  return Error{ErrorCode::unavailable, "confining a driver's process: expected seccomp, found " + found, {}};
}

}  // namespace gantry::drivers::isolated
