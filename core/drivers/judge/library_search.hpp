// SPDX-License-Identifier: Apache-2.0
//
// Finds a library that a driver needs, at the places where ld.so will look for it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::drivers {

// The places where ld.so looks, in its order.
struct LibrarySearch {
  std::vector<std::string> first;          // the directories in LD_LIBRARY_PATH
  std::string cache = "/etc/ld.so.cache";  // ld.so's index of libraries
  std::vector<std::string> system;         // the system's directories: /lib, /usr/lib and so on
};

// Returns the places for this process. An empty `system` means default_system_directories().
LibrarySearch process_search(std::vector<std::string> system);
// Returns /lib, /usr/lib, /lib64, /usr/lib64 and the folder of this machine's architecture in each.
std::vector<std::string> default_system_directories();

// Returns the paths of all files that ld.so may choose for a library's name. All are from the first place that has such
// a file. Empty if no place has one.
std::vector<std::string> find_library(const LibrarySearch& search, const std::string& name);

// Returns the paths of the files of that name in a directory and in its subfolders for certain processors.
std::vector<std::string> find_in_directory(const std::string& directory, const std::string& name);

// True if a library of that name is loaded in this process. ld.so uses the loaded library and does not search.
bool is_loaded(const std::string& name);

// Returns the paths that an ld.so.cache has for a library's name on this machine. `cache` is the content of the file.
std::vector<std::string> find_in_cache(std::span<const std::byte> cache, std::string_view name);

}  // namespace gantry::drivers
