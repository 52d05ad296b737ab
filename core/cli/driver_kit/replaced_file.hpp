// SPDX-License-Identifier: Apache-2.0
//
// A file with new content, that can have its old content back.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::cli {

// Returns a file's content. nullopt: there is none of that name.
Result<std::optional<std::string>> content_of(const std::filesystem::path& path);

// Returns the place beside a file where its new content is written at first.
std::filesystem::path new_beside(const std::filesystem::path& path);

// Writes the whole file beside its place, then renames it. After a crash there is the old or the new content.
Result<void> replace_file(const std::filesystem::path& path, std::string_view content, mode_t mode);

// One replaced or removed file. Keeps the content and mode that it had.
class ReplacedFile {
 public:
  // nullopt in place of a content removes the file.
  static Result<ReplacedFile> replace(const std::filesystem::path& path, const std::optional<std::string>& content,
                                      mode_t mode);
  // Brings back the content that the file had, or its absence.
  Result<void> put_back() const;

 private:
  std::filesystem::path path_;
  std::optional<std::string> before_;
  mode_t mode_before_ = 0644;
};

}  // namespace gantry::cli
