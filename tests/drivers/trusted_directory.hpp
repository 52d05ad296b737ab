// SPDX-License-Identifier: Apache-2.0
//
// A scratch directory from which drivers may be loaded. The directory is not below /tmp, since a sticky directory is
// refused as a place for drivers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/scratch_directory.hpp"

namespace gantry::drivers {

class TrustedDirectory {
 public:
  // Makes a directory below the first of these that no other user may write to: $GANTRY_TEST_DIRECTORY, the home
  // directory, /var/lib, the working directory. Fails the test if there is none.
  TrustedDirectory();

  const std::filesystem::path& path() const { return path_; }
  // Copies a file to `name` in the directory, with mode 0644.
  std::string add(const std::filesystem::path& from, const std::string& name) const;
  // Writes a file.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::unique_ptr<support::ScratchDirectory> directory_;
  std::filesystem::path path_;
};

// Returns the bytes of a file.
std::string read_file(const std::filesystem::path& path);

}  // namespace gantry::drivers
