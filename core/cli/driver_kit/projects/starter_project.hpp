// SPDX-License-Identifier: Apache-2.0
//
// The starter projects of the SDK, copied under another name. A starter project is a directory of plain files that build
// as they are. A copy replaces its own name, such as first_fit, its topic, and where the SDK is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli {

struct StarterProject {
  std::string language;
  std::string kind;
  std::string folder;  // below templates/
  std::string name;    // its own name
  std::string topic;   // its own topic; empty: the kind has none
};

// Returns the values of --lang and --kind.
std::vector<std::string> starter_languages();
std::vector<std::string> starter_kinds();

// Returns the starter project of a language and kind. The error invalid_argument says what to take in its place.
Result<StarterProject> find_starter(const std::string& language, const std::string& kind);

// Checks the name of a driver to be: an id that is also the beginning of the names of classes and files.
Result<void> check_driver_name(const std::string& name);
// Checks a topic by the rules of a manifest.
Result<void> check_topic(const std::string& topic);

// How a copy differs from the starter project.
struct Renaming {
  std::string name;        // the driver's id
  std::string topic;       // empty: the starter project's
  std::string crate;       // the SDK's crate for Rust, an absolute path
  std::string pkg_config;  // the directory of gantry-sdk.pc, an absolute path
};

// Returns a text of the starter project with the new names. The name before an underscore, as in first_fit_test, is part
// of an identifier, where a dash becomes an underscore.
std::string renamed(std::string text, const StarterProject& starter, const Renaming& renaming);

// Copies the starter project from `templates` to `directory`, which is missing or empty. All files or none. Returns the
// files that were made, relative to the directory.
Result<std::vector<std::string>> copy_starter(const std::filesystem::path& templates, const StarterProject& starter,
                                              const Renaming& renaming, const std::filesystem::path& directory);

}  // namespace gantry::cli
