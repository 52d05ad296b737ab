// SPDX-License-Identifier: Apache-2.0
//
// The file of a driver, or of a library that offers things to drivers, judged before any byte of it runs. Each rule has
// its own message: path, rule, expected, found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/manifest/manifest.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

enum class FileKind { driver, library };

// What is known of a file that kept all rules; `descriptor` stays open on exactly what was judged.
struct DriverFile {
  FileKind kind = FileKind::driver;
  std::string path;
  files::Descriptor descriptor;
  std::string sha256;                  // of the content, hexadecimal
  std::string build_id;                // hexadecimal, or empty
  std::vector<std::string> libraries;  // DT_NEEDED
  Manifest manifest;
  std::vector<DriverFile> offer_libraries;  // of a driver: those that [driver.<id>] names
};

struct FileRules {
  bool check_owner_and_mode = true;  // false: `gantry driver inspect` of a file that is not to be loaded
  std::string sha256;                // pinned; empty: not
  // Libraries found there need no further check. Empty: /lib, /usr/lib, /lib64, /usr/lib64 and this architecture's
  // folder in each.
  std::vector<std::string> system_library_directories;
  std::optional<FileKind> kind = FileKind::driver;  // what it has to be; none: either
};

// All of design.md's rule 6 and the file rules of the driver ABI, then the manifest.
Result<DriverFile> open_driver_file(const std::string& path, const FileRules& rules);

}  // namespace gantry::drivers
