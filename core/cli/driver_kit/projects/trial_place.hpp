// SPDX-License-Identifier: Apache-2.0
//
// The private directory in which `gantry driver dev` has a daemon of its own: socket, store, drivers, configuration and
// fleet.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/files/descriptor.hpp"

namespace gantry::cli {

class TrialPlace {
 public:
  // Makes a directory with mode 0700: `kept`, which stays behind, or one below the user's cache directory, which the
  // destructor removes.
  static Result<TrialPlace> make(const Session& session, const std::string& kept);
  TrialPlace(TrialPlace&& other) noexcept;
  TrialPlace& operator=(TrialPlace&&) = delete;
  ~TrialPlace();

  std::string path(std::string_view name) const { return (directory_ / name).string(); }
  std::string url() const { return "unix://" + path("socket"); }

  // Copies the file to where the daemon loads it, and writes a configuration that names it and a fleet that has the
  // columns that it needs. `policy`: the policy that the driver lua runs; otherwise empty.
  Result<void> take(const Session& session, const drivers::DriverFile& file, const std::filesystem::path& policy);

 private:
  TrialPlace(std::filesystem::path directory, bool is_kept, files::Descriptor held)
      : directory_(std::move(directory)), is_kept_(is_kept), held_(std::move(held)) {}

  std::filesystem::path directory_;
  bool is_kept_ = false;
  files::Descriptor held_;  // tells other processes that the directory is in use
};

// Returns the topic that a trial of the file decides for: the first of a driver, compute for a library.
std::string trial_topic(const drivers::DriverFile& file);

}  // namespace gantry::cli
