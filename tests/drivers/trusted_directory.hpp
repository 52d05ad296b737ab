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
  // Makes a directory below the first of these that no other user may write to: $GANTRY_TEST_DIRECTORY, the home
  // directory, /var/lib, the working directory. Fails the test if there is none.
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
