// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/pause_mark.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/files/errno_text.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::nova {

namespace {

std::string now_text() {
  const auto text = telemetry::utc_text(std::chrono::system_clock::now());
  return {text.data(), text.size()};
}

}  // namespace

void PauseMark::read() {
  const std::lock_guard lock(mutex_);
  since_.reset();
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored) && !ignored) return;
  std::ifstream file(path_);
  std::string since;
  std::getline(file, since);
  since_ = since.empty() ? "an unknown time" : since;
}

Result<void> PauseMark::set(bool is_paused) {
  const std::lock_guard lock(mutex_);
  if (!is_paused) {
    since_.reset();
    if (::unlink(path_.c_str()) == 0 || errno == ENOENT) return {};
    return Error{ErrorCode::internal,
                 "requests are taken, but a restart would pause again: " + path_ + ": " + files::errno_text(errno),
                 {}};
  }
  if (since_) return {};
  since_ = now_text();
  std::ofstream file(path_, std::ios::trunc);
  file << *since_ << "\n";
  if (file.flush()) return {};
  return Error{ErrorCode::internal,
               "requests are paused, but a restart would take them again: " + path_ + ": " + files::errno_text(errno),
               {}};
}

std::optional<std::string> PauseMark::since() const {
  const std::lock_guard lock(mutex_);
  return since_;
}

}  // namespace gantry::nova
