// SPDX-License-Identifier: Apache-2.0
//
// The bytes from which a runner creates its driver: files that have been judged, and options.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/settings.hpp"

namespace gantry::drivers::isolated {

struct RunnerStart {
  struct File {
    std::string path;  // for messages
    std::string sha256;
    int descriptor = -1;  // in the runner
  };

  std::string driver;                    // the id
  std::chrono::milliseconds timeout{0};  // for each create
  std::vector<File> files;               // the driver's, then its libraries'
  config::DriverSettings section;        // the options alone
};

std::vector<std::byte> encode(const RunnerStart& start);
// nullopt: the bytes are not those that encode() makes.
std::optional<RunnerStart> decode(std::span<const std::byte> bytes);

}  // namespace gantry::drivers::isolated
