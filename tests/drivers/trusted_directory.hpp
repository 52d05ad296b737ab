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
  // Takes the first of $GANTRY_TEST_DIRECTORY, the home directory, /var/lib and the working directory that no other user
  // may write to. Fails the test if each is open to others.
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
