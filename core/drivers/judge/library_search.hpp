// SPDX-License-Identifier: Apache-2.0
//
// Finds a library that a driver needs where ld.so will find it.
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

// Returns the search of this process. An empty `system` means this machine's directories.
LibrarySearch process_search(std::vector<std::string> system);
// Returns /lib, /usr/lib, /lib64, /usr/lib64 and the folder of this machine's architecture in each.
std::vector<std::string> default_system_directories();

// Returns each file that ld.so may choose for a name, from the first place that has one. Empty if no place has one.
std::vector<std::string> find_library(const LibrarySearch& search, const std::string& name);

// Returns the files of that name in a directory and in the folders for processors below it.
std::vector<std::string> find_in_directory(const std::string& directory, const std::string& name);

// True if a library of that name is loaded in this process. ld.so uses the loaded one and does not search.
bool is_loaded(const std::string& name);

// Returns the paths of a name in an ld.so.cache, for this machine.
std::vector<std::string> find_in_cache(std::span<const std::byte> cache, std::string_view name);

}  // namespace gantry::drivers
