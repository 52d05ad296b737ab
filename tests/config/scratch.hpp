// SPDX-License-Identifier: Apache-2.0
//
// A directory for the configuration files of one test, and sources that read gantry.toml there.
#pragma once

#include "core/config/load.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::config {

class Scratch : public support::ScratchDirectory {
 public:
  // Returns sources with gantry.toml of the directory, which need not exist.
  Sources sources() const {
    Sources sources;
    sources.file = path("gantry.toml");
    return sources;
  }
};

}  // namespace gantry::config
