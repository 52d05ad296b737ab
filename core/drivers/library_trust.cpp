// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/library_trust.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "core/drivers/elf_file.hpp"
#include "core/drivers/file_content.hpp"
#include "core/drivers/refusal.hpp"
#include "core/drivers/trusted_file.hpp"

namespace gantry::drivers {
namespace {

struct Need {
  std::string name;
  std::string by;  // path of the object that needs it
};

bool is_in_system_directory(const std::string& candidate, const LibrarySearch& search) {
  std::error_code failed;
  std::filesystem::path directory = std::filesystem::canonical(std::filesystem::path(candidate).parent_path(), failed);
  if (failed) return false;
  if (directory.parent_path().filename() == "glibc-hwcaps") directory = directory.parent_path().parent_path();
  return std::any_of(search.system.begin(), search.system.end(), [&](const std::string& system) {
    std::error_code missing;
    return std::filesystem::canonical(system, missing) == directory && !missing;
  });
}

// What a library outside of the system directories needs, if it may be loaded.
Result<std::vector<std::string>> judge_library(const std::string& candidate) {
  Result<TrustedFile> file = open_trusted(candidate, LastLink::followed);
  if (!file) return std::move(file).error();
  const Result<std::vector<std::byte>> content = read_content(file->descriptor.number(), candidate);
  if (!content) return content.error();
  Result<ElfFile> elf = read_elf(*content, candidate);
  if (!elf) return std::move(elf).error();
  if (Result<void> checked = check_brings_nothing(*elf, candidate); !checked) return std::move(checked).error();
  return std::move(elf->libraries);
}

Result<std::vector<std::string>> candidates_of(const std::string& path, const Need& need, const LibrarySearch& search) {
  if (need.name.find('/') != std::string::npos) {
    if (need.name.front() == '/') return std::vector{need.name};
    return refuse(path, {"needed library", "a name or an absolute path", need.name + " (needed by " + need.by + ")",
                         "link the library with a soname"});
  }
  std::vector<std::string> found = find_library(search, need.name);
  if (!found.empty()) return found;
  return refuse(
      path, {"needed library",
             need.name + " (needed by " + need.by + ") in LD_LIBRARY_PATH, " + search.cache + " or a system directory",
             "no such file", "install the package that has it, or link it into the driver"});
}

}  // namespace

Result<void> check_libraries(const std::string& path, const std::vector<std::string>& needed,
                             const LibrarySearch& search) {
  std::deque<Need> open;
  std::set<std::string> seen;
  for (const std::string& name : needed) open.push_back({name, path});
  while (!open.empty()) {
    const Need need = std::move(open.front());
    open.pop_front();
    if (!seen.insert(need.name).second || is_loaded(need.name)) continue;
    const Result<std::vector<std::string>> candidates = candidates_of(path, need, search);
    if (!candidates) return candidates.error();
    for (const std::string& candidate : *candidates) {
      if (is_in_system_directory(candidate, search)) continue;
      Result<std::vector<std::string>> further = judge_library(candidate);
      if (!further) {
        return std::move(further).error().within(path + ": needed library " + need.name + " (needed by " + need.by +
                                                 ")");
      }
      for (std::string& name : *further) open.push_back({std::move(name), candidate});
    }
  }
  return {};
}

}  // namespace gantry::drivers
