// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log_link.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/files/write_access.hpp"

namespace gantry::telemetry {

int log_link_flag(const std::string& name) {
  struct stat directory {};
  const auto parent = std::filesystem::path(name).parent_path();
  if (stat(parent.empty() ? "." : parent.c_str(), &directory) != 0) return 0;
  const bool is_safe = files::has_trusted_owner(directory) &&
                       !files::strangers_may_write(directory, files::GroupWrite::own_group_trusted);
  return is_safe ? 0 : O_NOFOLLOW;
}

}  // namespace gantry::telemetry
