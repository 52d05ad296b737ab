// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/library_trust.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/link_rules.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/file/trusted_file.hpp"

namespace gantry::drivers {
namespace {

struct Need {
  std::string name;
  std::string by;  // path of the object that needs it
  bool by_system = false;
  std::string search_path;  // the search path of that object; only the system's own may have one
};

// The needs of a library that may be loaded.
struct Needs {
  std::vector<std::string> names;
  bool is_system = false;
  std::string search_path;
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

// A system library is trusted, but its needs may come from elsewhere. Skips a file that is not a library of this
// machine, as ld.so does.
Needs read_system_library(const std::string& candidate) {
  Needs needs;
  needs.is_system = true;
  const Result<files::Descriptor> file = open_untrusted(candidate);
  if (!file) return needs;
  const Result<std::vector<std::byte>> content = read_content(file->number(), candidate);
  if (!content) return needs;
  Result<ElfFile> elf = read_elf(*content, candidate);
  if (!elf) return needs;
  needs.names = std::move(elf->libraries);
  needs.search_path = std::move(elf->search_path);
  return needs;
}

// Returns the needs of a library outside of the system directories, if it may be loaded. A library that the system's
// own libraries find by their search path may have a search path too.
Result<Needs> check_offer_library(const std::string& candidate, bool by_system) {
  Result<files::Descriptor> file = open_trusted(candidate, LastLink::followed);
  if (!file) return std::move(file).error();
  const Result<std::vector<std::byte>> content = read_content(file->number(), candidate);
  if (!content) return content.error();
  Result<ElfFile> elf = read_elf(*content, candidate);
  if (!elf) return std::move(elf).error();
  if (!by_system) {
    if (Result<void> checked = check_brings_nothing(*elf, candidate); !checked) return std::move(checked).error();
    if (const auto problems = link_problems(*elf, candidate); !problems.empty()) return joined(problems);
  }
  return Needs{std::move(elf->libraries), by_system, std::move(elf->search_path)};
}

// In the search path of the library that needs it; $ORIGIN is that library's directory.
std::vector<std::string> find_in_search_path(const Need& need) {
  std::vector<std::string> found;
  const std::string origin = std::filesystem::path(need.by).parent_path().string();
  std::istringstream parts(need.search_path);
  for (std::string part; std::getline(parts, part, ':');) {
    for (const std::string_view name : {"${ORIGIN}", "$ORIGIN"}) {
      for (std::size_t at = part.find(name); at != std::string::npos; at = part.find(name)) {
        part.replace(at, name.size(), origin);
      }
    }
    if (part.empty() || part.front() != '/') continue;
    for (std::string& candidate : find_in_directory(part, need.name)) found.push_back(std::move(candidate));
  }
  return found;
}

Result<std::vector<std::string>> candidates_of(const std::string& path, const Need& need, const LibrarySearch& search) {
  if (need.name.find('/') != std::string::npos) {
    if (need.name.front() == '/') return std::vector{need.name};
    return refuse(path, {"needed library", "a name or an absolute path", need.name + " (needed by " + need.by + ")",
                         "link the library with a soname"});
  }
  std::vector<std::string> found = find_library(search, need.name);
  for (std::string& candidate : find_in_search_path(need)) found.push_back(std::move(candidate));
  // A missing library of a system library is left to ld.so, which will name it.
  if (!found.empty() || need.by_system) return found;
  return refuse(
      path, {"needed library",
             need.name + " (needed by " + need.by + ") in LD_LIBRARY_PATH, " + search.cache + " or a system directory",
             "no such file", "install the package that has it, or link it into the driver"});
}

}  // namespace

Result<void> check_libraries(const std::string& path, const std::vector<std::string>& needed,
                             const LibrarySearch& search) {
  std::deque<Need> open;
  std::set<std::pair<std::string, std::string>> seen;  // name, and the search path that it was looked for in
  for (const std::string& name : needed) open.push_back({name, path, false, {}});
  while (!open.empty()) {
    const Need need = std::move(open.front());
    open.pop_front();
    if (!seen.insert({need.name, need.search_path}).second || is_loaded(need.name)) continue;
    const Result<std::vector<std::string>> candidates = candidates_of(path, need, search);
    if (!candidates) return candidates.error();
    for (const std::string& candidate : *candidates) {
      Result<Needs> further = is_in_system_directory(candidate, search)
                                  ? Result<Needs>(read_system_library(candidate))
                                  : check_offer_library(candidate, need.by_system);
      if (!further) {
        return std::move(further).error().within(path + ": needed library " + need.name + " (needed by " + need.by +
                                                 ")");
      }
      for (std::string& name : further->names) {
        open.push_back({std::move(name), candidate, further->is_system, further->search_path});
      }
    }
  }
  return {};
}

}  // namespace gantry::drivers
