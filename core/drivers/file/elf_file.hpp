// SPDX-License-Identifier: Apache-2.0
//
// What a shared object says of itself in its ELF tables, read from memory with every bound checked and nothing run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers {

struct ElfSymbol {
  std::string name;
  unsigned char type = 0;  // STT_*
};

struct ElfFile {
  std::string build_id;                // hexadecimal, or empty
  std::vector<std::string> libraries;  // DT_NEEDED, in order
  std::vector<ElfSymbol> exported;  // by name: dynamic symbols that others could bind to; those of the linker left out
  std::string search_path;          // DT_RUNPATH or DT_RPATH, or empty
  std::string other_objects;        // DT_FILTER, DT_AUXILIARY, DT_AUDIT or DT_DEPAUDIT, or empty
  std::optional<std::string> manifest;  // content of .gantry.manifest
};

// Refuses what is no complete 64-bit little-endian shared object of this machine. `path` is for messages.
Result<ElfFile> read_elf(std::span<const std::byte> content, std::string_view path);

// The rules beyond being a shared object that drivers and the libraries they bring along share: no search path and no
// other objects of its own.
Result<void> check_brings_nothing(const ElfFile& file, std::string_view path);

// What a driver exports, and what a library of offers does.
inline constexpr std::string_view driver_entry_symbol = "gantry_driver_entry";
inline constexpr std::string_view offers_entry_symbol = "gantry_offers_entry";

// The driver ABI's rules: `entry`, one of the two above, is exported, it is a function, and nothing else is exported.
Result<void> check_exports(const ElfFile& file, std::string_view path, std::string_view entry = driver_entry_symbol);

}  // namespace gantry::drivers
