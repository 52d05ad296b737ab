// SPDX-License-Identifier: Apache-2.0
//
// Opens and checks the file of a driver, or of a library of offers, before any code of the file runs. Offers are
// filters and weighers for a driver. The error of a broken rule names path, rule, expected and found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

enum class FileKind { driver, library };

// A file that has passed all checks. `descriptor` stays open on the file that was checked.
struct DriverFile {
  FileKind kind = FileKind::driver;
  std::string path;
  files::Descriptor descriptor;
  std::string sha256;                  // SHA-256 of the content, hexadecimal
  std::string build_id;                // hexadecimal; empty if the file has none
  std::vector<std::string> libraries;  // the libraries that ld.so loads with the file (DT_NEEDED)
  Manifest manifest;
  std::vector<DriverFile> offer_libraries;  // the libraries of offers that [driver.<id>] names
};

// The rules of open_driver_file that the caller may choose.
struct FileRules {
  bool check_owner_and_mode = true;  // false for `gantry driver inspect`, which loads nothing
  std::string sha256;                // the SHA-256 that the file must have; empty: any
  // Libraries in these directories are trusted without a check of owner and mode. Empty: /lib, /usr/lib, /lib64,
  // /usr/lib64 and this architecture's folder in each.
  std::vector<std::string> system_library_directories;
  std::optional<FileKind> kind = FileKind::driver;  // the required kind; nullopt: either kind
};

// Opens the file, checks the rules of driver.h, convention 11, and reads the manifest.
Result<DriverFile> open_driver_file(const std::string& path, const FileRules& rules);

// Takes a file that open_driver_file has judged in another process and that was handed over with its SHA-256. Fails if
// the content is another.
Result<DriverFile> reopen_driver_file(files::Descriptor descriptor, const std::string& path, const std::string& sha256,
                                      FileKind kind);

// open_driver_file applies the rules of the two functions below only with check_owner_and_mode. `path` may be relative.
// Returns what is wrong with owner and mode, of the file and of the directories on its path. nullopt: nothing.
std::optional<Error> trust_problem(const std::string& path);
// Returns an error for each rule of linking that the file breaks: how it was linked, its libraries, its symbols.
std::vector<Error> linkage_problems(const std::string& path);

}  // namespace gantry::drivers
