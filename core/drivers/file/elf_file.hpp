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

// The facts of a shared object that the checks need.
struct ElfFile {
  std::string build_id;                // hexadecimal, or empty
  std::vector<std::string> libraries;  // the needed libraries (DT_NEEDED), in order
  // The dynamic symbols that other objects could bind to, sorted by name. Symbols that the linker makes are left out.
  std::vector<ElfSymbol> exported;
  // The names of the dynamic symbols that other objects must define, sorted. Weak symbols are left out.
  std::vector<std::string> undefined;
  bool has_text_relocations = false;  // ld.so would write into the code
  bool has_executable_stack = false;  // ld.so would make the stacks of all threads executable
  bool has_static_tls = false;        // its thread-local variables need a place that the process set aside at its start
  bool asks_to_be_global = false;     // its symbols would bind in every object that is loaded later
  bool asks_to_be_first = false;      // its constructors would run before those of the libraries that it needs
  std::string search_path;            // DT_RUNPATH or DT_RPATH, or empty
  std::string other_objects;          // DT_FILTER, DT_AUXILIARY, DT_AUDIT or DT_DEPAUDIT, or empty
  std::optional<std::string> manifest;  // content of section .gantry.manifest; nullopt: no such section
};

// Refuses a file that is not a complete 64-bit little-endian shared object of this machine. `path` is for messages.
Result<ElfFile> read_elf(std::span<const std::byte> content, std::string_view path);

// Fails if the file has a search_path or other_objects. Drivers and the libraries that they bring along must have
// neither.
Result<void> check_brings_nothing(const ElfFile& file, std::string_view path);

// The names of the entry functions: of a driver, then of a library of offers.
inline constexpr std::string_view driver_entry_symbol = "gantry_driver_entry";
inline constexpr std::string_view offers_entry_symbol = "gantry_offers_entry";

// Fails unless the file exports the function `entry`, one of the two above, and nothing else.
Result<void> check_exports(const ElfFile& file, std::string_view path, std::string_view entry = driver_entry_symbol);

}  // namespace gantry::drivers
