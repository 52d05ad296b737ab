// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/projects/source_watch.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "core/files/errno_text.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::uint32_t changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr std::chrono::milliseconds step = 100ms;  // between looks at the stop, and how long a quiet moment is

bool is_left_out(const std::string& name) {
  return name.starts_with('.') || name == "build" || name.starts_with("build-") || name == "target";
}

// Editors write beside the file first, and what is built may lie beside the sources.
bool is_of_no_interest(std::string_view name) {
  return name.starts_with('.') || name == "Cargo.lock" || name.ends_with('~') || name.ends_with(".so") ||
         name.ends_with(".o") || name.ends_with(".new") || name == "4913";
}

bool is_ready(int descriptor) {
  pollfd one{descriptor, POLLIN, 0};
  return ::poll(&one, 1, static_cast<int>(step.count())) > 0;
}

}  // namespace

Result<SourceWatch> SourceWatch::of(const std::vector<fs::path>& places) {
  SourceWatch watch(files::Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)));
  if (!watch.descriptor_.is_open())
    return Error{ErrorCode::resource_exhausted, "changes of files cannot be watched: " + files::errno_text(errno), ""};
  for (const fs::path& place : places) {
    std::error_code problem;
    const bool is_directory = fs::is_directory(place, problem);
    const fs::path absolute = fs::absolute(place, problem).lexically_normal();
    if (auto added = is_directory ? watch.add(absolute, "") : watch.add(absolute.parent_path(), absolute.filename());
        !added)
      return std::move(added).error();
    if (!is_directory) continue;
    for (fs::recursive_directory_iterator at(place, problem), end; at != end && !problem; at.increment(problem)) {
      if (!at->is_directory(problem)) continue;
      if (is_left_out(at->path().filename().string())) {
        at.disable_recursion_pending();
      } else if (auto added = watch.add(at->path(), ""); !added) {
        return std::move(added).error();
      }
    }
  }
  return watch;
}

Result<void> SourceWatch::add(const fs::path& directory, const std::string& name) {
  const int watch = ::inotify_add_watch(descriptor_.number(), directory.c_str(), changes);
  if (watch >= 0) {
    names_[watch].insert(name);
    return {};
  }
  return Error{ErrorCode::resource_exhausted,
               directory.string() + ": cannot be watched for changes: " + files::errno_text(errno), ""};
}

bool SourceWatch::is_of_interest(int watch, const std::string& name) const {
  const auto names = names_.find(watch);
  if (name.empty() || names == names_.end()) return false;
  return names->second.contains(name) || (names->second.contains("") && !is_of_no_interest(name));
}

bool SourceWatch::take_events() const {
  alignas(inotify_event) std::array<char, 16384> bytes{};
  bool is_change = false;
  for (;;) {
    const ssize_t size = ::read(descriptor_.number(), bytes.data(), bytes.size());
    if (size <= 0) return is_change;
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      const std::string name = event->len > 0 ? event->name : "";
      is_change = is_change || is_of_interest(event->wd, name);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
}

bool SourceWatch::wait(const std::stop_token& stop, std::chrono::milliseconds most) const {
  for (std::chrono::milliseconds waited(0); waited < most && !stop.stop_requested(); waited += step) {
    if (!is_ready(descriptor_.number()) || !take_events()) continue;
    while (is_ready(descriptor_.number())) take_events();
    return !stop.stop_requested();
  }
  return false;
}

}  // namespace gantry::cli
