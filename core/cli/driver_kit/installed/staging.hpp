// SPDX-License-Identifier: Apache-2.0
//
// The directory .install beside the installed drivers. While it is held, no other install or remove works there. A new
// file is tried out in it, and the next install or remove finds in it what a killed one has left.
#pragma once

#include <filesystem>

#include "core/cli/driver_kit/installed/installed_drivers.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::cli {

class Staging {
 public:
  // Makes the directory of drivers too, if there is none. Errors: permission_denied; failed_precondition if another
  // process holds it.
  static Result<Staging> hold(const std::filesystem::path& drivers);
  Staging(Staging&& other) noexcept = default;
  Staging& operator=(Staging&&) = delete;
  ~Staging();  // removes the directory

  const std::filesystem::path& path() const { return path_; }

  // Removes what a killed install or remove has left: half-written files, and the noted file if the configuration does
  // not name it.
  void clear_leftovers(const InstalledDrivers& installed, const std::filesystem::path& drop_in) const;

  // Notes that the file goes with its line in the configuration: a file without the line is a leftover.
  Result<void> note(const std::filesystem::path& file) const;

 private:
  Staging(std::filesystem::path path, files::Descriptor held) : path_(std::move(path)), held_(std::move(held)) {}

  std::filesystem::path path_;
  files::Descriptor held_;
};

}  // namespace gantry::cli
