// SPDX-License-Identifier: Apache-2.0
//
// A directory for one test, gone with it, and the sources that point into it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/config/load.hpp"

namespace gantry::config {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gantry-config-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(root_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(std::string_view name) const { return (root_ / name).string(); }

  std::string write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
    return path(name);
  }

  // gantry.toml in it, which need not be there.
  Sources sources() const {
    Sources sources;
    sources.file = path("gantry.toml");
    return sources;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace gantry::config
