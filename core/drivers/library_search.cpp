// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/library_search.hpp"

#include <dlfcn.h>
#include <fcntl.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/drivers/descriptor.hpp"
#include "core/drivers/elf_reader.hpp"
#include "core/drivers/file_content.hpp"

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

// ld.so prefers builds for newer processors in glibc-hwcaps/<level>/ of the same directory.
std::vector<std::string> find_in_directory(const std::string& directory, const std::string& name) {
  std::vector<std::string> found;
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

}  // namespace

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
    if (reader.text(entry->name, reader.size()) != name) continue;
    if (const auto path = reader.text(entry->path, reader.size())) found.emplace_back(*path);
  }
  return found;
}

std::vector<std::string> find_library(const LibrarySearch& search, const std::string& name) {
  for (const std::string& directory : search.first) {
    if (std::vector<std::string> found = find_in_directory(directory, name); !found.empty()) return found;
  }
  const Descriptor cache(::open(search.cache.c_str(), O_RDONLY | O_CLOEXEC));
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
