// SPDX-License-Identifier: Apache-2.0
//
// Reads the ELF tables of a shared object from memory. Checks each bound and runs no code of the file.
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
  std::vector<ElfSymbol>
      exported;               // sorted by name: dynamic symbols that others could bind to, without the linker's own
  std::string search_path;    // DT_RUNPATH or DT_RPATH, or empty
  std::string other_objects;  // DT_FILTER, DT_AUXILIARY, DT_AUDIT or DT_DEPAUDIT, or empty
  std::optional<std::string> manifest;  // content of .gantry.manifest
};

// Refuses a file that is not a complete 64-bit little-endian shared object of this machine. `path` is for messages.
Result<ElfFile> read_elf(std::span<const std::byte> content, std::string_view path);

// Checks the rules for drivers and for the libraries that they bring along: the file names no search path and no other
// objects.
Result<void> check_brings_nothing(const ElfFile& file, std::string_view path);

// The names of the entry functions: of a driver, then of a library of offers.
inline constexpr std::string_view driver_entry_symbol = "gantry_driver_entry";
inline constexpr std::string_view offers_entry_symbol = "gantry_offers_entry";

// Checks the driver ABI's rules: the file exports the function `entry`, one of the two above, and nothing else.
Result<void> check_exports(const ElfFile& file, std::string_view path, std::string_view entry = driver_entry_symbol);

}  // namespace gantry::drivers
