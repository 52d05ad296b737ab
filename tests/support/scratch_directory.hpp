// SPDX-License-Identifier: Apache-2.0
//
// A directory for the files of one test, removed with its contents at the end of the object's life.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace gantry::support {

class ScratchDirectory {
 public:
  // Makes a directory with mode 0700 below `parent`. Throws if that fails.
  explicit ScratchDirectory(const std::filesystem::path& parent = std::filesystem::temp_directory_path(),
                            std::string_view prefix = "gantry-test-")
      : path_((parent / prefix).string() + "XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a directory in " + parent.string());
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  // Returns the path of a file in the directory. The file need not exist.
  std::string path(std::string_view name) const { return (std::filesystem::path(path_) / name).string(); }

  // Writes a file, makes the directories between, and returns the file's path.
  std::string write(std::string_view name, std::string_view text, mode_t mode = 0644) const {
    const std::string file = path(name);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    ::chmod(file.c_str(), mode);
    return file;
  }
  std::string script(std::string_view name, std::string_view body, mode_t mode = 0755) const {
    return write(name, "#!/bin/sh\n" + std::string(body), mode);
  }

 private:
  std::string path_;
};

}  // namespace gantry::support
