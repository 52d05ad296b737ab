// SPDX-License-Identifier: Apache-2.0
//
// The sources of the SDK at the places of an installed one, and a directory for projects.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {

class ScratchSdk {
 public:
  ScratchSdk() {
    namespace fs = std::filesystem;
    const fs::path sdk = fs::path(GANTRY_SOURCES) / "sdk";
    fs::create_directories(directory_.path("sdk/share/gantry"));
    fs::create_directory_symlink(sdk / "templates", directory_.path("sdk/share/gantry/templates"));
    fs::create_directory_symlink(sdk / "include", directory_.path("sdk/include"));
    fs::create_directories(directory_.path("sdk/lib/cmake"));
    fs::create_directory_symlink(sdk / "cmake", directory_.path("sdk/lib/cmake/gantry-sdk"));
  }

  std::string path(std::string_view name) const { return directory_.path(name); }
  std::string write(std::string_view name, std::string_view text) const { return directory_.write(name, text); }
  std::string read(std::string_view name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // Runs `gantry driver WORDS...` with this SDK.
  Ran driver(std::vector<std::string> words) const {
    FakeDaemon daemon;
    words.insert(words.begin(), "driver");
    return run(daemon, words, "", {{"GANTRY_SDK", path("sdk")}});
  }

 private:
  support::ScratchDirectory directory_;
};

}  // namespace gantry::cli::test
