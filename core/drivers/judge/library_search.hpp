// SPDX-License-Identifier: Apache-2.0
//
// Where ld.so will look for a library that a driver needs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::drivers {

struct LibrarySearch {
  std::vector<std::string> first;  // LD_LIBRARY_PATH
  std::string cache = "/etc/ld.so.cache";
  std::vector<std::string> system;  // /lib, /usr/lib and so on
};

// As this process has it. `system` empty: this machine's own.
LibrarySearch process_search(std::vector<std::string> system);
// /lib, /usr/lib, /lib64, /usr/lib64 and the folder of this machine's architecture in each.
std::vector<std::string> default_system_directories();

// Each file that ld.so may choose for that name, those of the first place that has any. Empty: none.
std::vector<std::string> find_library(const LibrarySearch& search, const std::string& name);

// Those in one directory and in the folders for processors below it.
std::vector<std::string> find_in_directory(const std::string& directory, const std::string& name);

// Whether ld.so has a library of that name in this process: it takes that one and looks no further.
bool is_loaded(const std::string& name);

// The paths that an ld.so.cache has for a name on this machine.
std::vector<std::string> find_in_cache(std::span<const std::byte> cache, std::string_view name);

}  // namespace gantry::drivers
