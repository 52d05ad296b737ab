// SPDX-License-Identifier: Apache-2.0
#include "core/files/write_all.hpp"

#include <unistd.h>

#include <cerrno>

namespace gantry::files {

bool write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace gantry::files
