// SPDX-License-Identifier: Apache-2.0
//
// Waits for changes of files, by inotify.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::cli {

class SourceWatch {
 public:
  // Watches single files, and directories with all below. Left out there are hidden files and directories and what is
  // built: shared objects, object files and the directories build, build-* and target.
  static Result<SourceWatch> of(const std::vector<std::filesystem::path>& places);

  // Returns true after a file has changed and no other has for a moment; false after `most` or if the stop is requested.
  bool wait(const std::stop_token& stop, std::chrono::milliseconds most) const;

 private:
  explicit SourceWatch(files::Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  Result<void> add(const std::filesystem::path& directory, const std::string& name);
  bool is_of_interest(int watch, const std::string& name) const;
  bool take_events() const;

  files::Descriptor descriptor_;
  std::map<int, std::set<std::string>> names_;  // by watch: the files of interest; an empty name stands for all sources
};

}  // namespace gantry::cli
