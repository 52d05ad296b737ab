// SPDX-License-Identifier: Apache-2.0
//
// A directory for the files of one test from which drivers may be loaded, removed with all that is in it. Not below
// /tmp: a sticky directory is refused as a place for drivers.
#pragma once

#include <filesystem>
#include <string>

namespace gantry::drivers {

class TrustedDirectory {
 public:
  // Below $GANTRY_TEST_DIRECTORY, the home directory, /var/lib or the working directory: the first that nobody else may
  // write to. Fails the test if none is.
  TrustedDirectory();
  ~TrustedDirectory();
  TrustedDirectory(const TrustedDirectory&) = delete;
  TrustedDirectory& operator=(const TrustedDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Copies a file to `name` in here, mode 0644.
  std::string add(const std::filesystem::path& from, const std::string& name) const;
  // Writes a file.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

// A whole file as bytes.
std::string read_file(const std::filesystem::path& path);

}  // namespace gantry::drivers
