// SPDX-License-Identifier: Apache-2.0
//
// The differences between two files of drivers or libraries, and what they ask of an operator.
#pragma once

#include <string>
#include <vector>

#include "core/drivers/judge/driver_file.hpp"
#include "core/result.hpp"

namespace gantry::cli {

struct Difference {
  std::string what;    // "option reserve_mb, default"
  std::string before;  // empty: absent
  std::string after;
};

struct FileDifferences {
  std::vector<Difference> differences;
  std::vector<std::string> duties;  // sentences: what an operator does before the new file works
};

// Compares manifests, ABI, libraries, symbols, build ids and contents of two files that were judged.
Result<FileDifferences> compare_files(const drivers::DriverFile& before, const drivers::DriverFile& after);

}  // namespace gantry::cli
