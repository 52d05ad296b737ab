// SPDX-License-Identifier: Apache-2.0
//
// A directory of a test's own, gone with it.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gantry::cli::test {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gantry-cli-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string path() const { return path_; }
  std::string write(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    const std::string file = path_ + "/" + name;
    std::ofstream(file) << text;
    ::chmod(file.c_str(), mode);
    return file;
  }
  std::string script(const std::string& name, const std::string& body, mode_t mode = 0755) const {
    return write(name, "#!/bin/sh\n" + body, mode);
  }

 private:
  std::string path_;
};

}  // namespace gantry::cli::test
