// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/library_search.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/drivers/file/elf_reader.hpp"
#include "core/drivers/file/file_content.hpp"
#include "core/files/descriptor.hpp"

namespace gantry::drivers {
namespace {

// The layout of ld.so.cache since glibc 2.2 (dl-cache.h).
struct CacheHeader {
  std::array<char, 20> magic;
  std::uint32_t entries;
  std::uint32_t texts_size;
  std::array<std::uint32_t, 5> unused;
};
struct CacheEntry {
  std::int32_t flags;
  std::uint32_t name;
  std::uint32_t path;
  std::uint32_t version;
  std::uint64_t hardware;
};

// The kinds of libraries in a cache (dl-cache.h): ld.so takes those of its own machine only.
constexpr std::int32_t kind_mask = 0xff00;
#if defined(__x86_64__)
constexpr std::int32_t own_kind = 0x0300;
#elif defined(__aarch64__)
constexpr std::int32_t own_kind = 0x0a00;
#else
constexpr std::int32_t own_kind = 0;  // any: judging one more does no harm
#endif

bool is_of_this_machine(const CacheEntry& entry) {
  return own_kind == 0 || (entry.flags & kind_mask) == own_kind;
}

// Folders in which glibc before 2.37 looks first, in almost any order below each other.
std::vector<std::string> processor_folders() {
  std::vector<std::string> names = {"tls", "haswell", "xeon_phi", "avx512_1", "x86_64", "aarch64", "atomics"};
  const auto* const platform = std::bit_cast<const char*>(::getauxval(AT_PLATFORM));
  if (platform != nullptr && std::find(names.begin(), names.end(), platform) == names.end()) {
    names.emplace_back(platform);
  }
  return names;
}

void find_below(const std::filesystem::path& directory, const std::string& name, int depth,
                std::vector<std::string>& found) {
  static const std::vector<std::string> folders = processor_folders();
  std::error_code ignored;
  for (const std::string& folder : folders) {
    const std::filesystem::path below = directory / folder;
    if (!std::filesystem::is_directory(below, ignored)) continue;
    if (std::filesystem::exists(below / name, ignored)) found.push_back((below / name).string());
    if (depth > 1) find_below(below, name, depth - 1, found);
  }
}

std::vector<std::string> split_search_path(const char* text) {
  std::vector<std::string> parts;
  std::string part;
  for (const char* at = text; at != nullptr; ++at) {
    if (*at != ':' && *at != ';' && *at != '\0') {
      part.push_back(*at);
      continue;
    }
    // ld.so reads an empty part as the working directory.
    if (*text != '\0') parts.push_back(part.empty() ? "." : part);
    part.clear();
    if (*at == '\0') break;
  }
  return parts;
}

}  // namespace

// ld.so prefers builds for newer processors in glibc-hwcaps/<level>/ and in older folders of the same directory.
std::vector<std::string> find_in_directory(const std::string& directory, const std::string& name) {
  constexpr int most_folders = 4;  // tls/haswell/avx512_1/x86_64
  std::vector<std::string> found;
  find_below(directory, name, most_folders, found);
  std::error_code ignored;
  const std::filesystem::path levels = std::filesystem::path(directory) / "glibc-hwcaps";
  for (std::filesystem::directory_iterator level(levels, ignored), end; !ignored && level != end;
       level.increment(ignored)) {
    const std::filesystem::path candidate = level->path() / name;
    if (std::filesystem::exists(candidate, ignored)) found.push_back(candidate.string());
  }
  const std::filesystem::path candidate = std::filesystem::path(directory) / name;
  if (std::filesystem::exists(candidate, ignored)) found.push_back(candidate.string());
  return found;
}

LibrarySearch process_search(std::vector<std::string> system) {
  LibrarySearch search;
  search.first = split_search_path(::secure_getenv("LD_LIBRARY_PATH"));
  search.system = system.empty() ? default_system_directories() : std::move(system);
  return search;
}

std::vector<std::string> default_system_directories() {
#if defined(__x86_64__)
  constexpr std::string_view architecture = "x86_64-linux-gnu";
#elif defined(__aarch64__)
  constexpr std::string_view architecture = "aarch64-linux-gnu";
#elif defined(__riscv)
  constexpr std::string_view architecture = "riscv64-linux-gnu";
#else
  constexpr std::string_view architecture = "powerpc64le-linux-gnu";
#endif
  std::vector<std::string> directories;
  for (const char* base : {"/lib", "/usr/lib", "/lib64", "/usr/lib64"}) {
    directories.emplace_back(std::string(base) + "/" + std::string(architecture));
    directories.emplace_back(base);
  }
  return directories;
}

std::vector<std::string> find_in_cache(std::span<const std::byte> cache, std::string_view name) {
  const ElfReader reader(cache);
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  const auto header = reader.at<CacheHeader>(0);
  if (!header || std::string_view(header->magic.data(), header->magic.size()) != magic) return {};
  std::vector<std::string> found;
  for (std::uint64_t index = 0; index < header->entries; ++index) {
    const auto entry = reader.at<CacheEntry>(sizeof(CacheHeader) + index * sizeof(CacheEntry));
    if (!entry) break;
    if (!is_of_this_machine(*entry) || reader.text(entry->name, reader.size()) != name) continue;
    if (const auto path = reader.text(entry->path, reader.size())) found.emplace_back(*path);
  }
  return found;
}

std::vector<std::string> find_library(const LibrarySearch& search, const std::string& name) {
  for (const std::string& directory : search.first) {
    if (std::vector<std::string> found = find_in_directory(directory, name); !found.empty()) return found;
  }
  const files::Descriptor cache(::open(search.cache.c_str(), O_RDONLY | O_CLOEXEC));
  if (cache.is_open()) {
    if (const auto content = read_content(cache.number(), search.cache)) {
      if (std::vector<std::string> found = find_in_cache(*content, name); !found.empty()) return found;
    }
  }
  for (const std::string& directory : search.system) {
    if (std::vector<std::string> found = find_in_directory(directory, name); !found.empty()) return found;
  }
  return {};
}

bool is_loaded(const std::string& name) {
  const std::unique_ptr<void, int (*)(void*)> handle(::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD), &::dlclose);
  return handle != nullptr;
}

}  // namespace gantry::drivers
