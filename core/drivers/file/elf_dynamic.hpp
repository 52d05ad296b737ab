// SPDX-License-Identifier: Apache-2.0
//
// The dynamic section of a shared object: what ld.so acts on, read as ld.so finds it (by addresses, not by sections).
#pragma once

#include <elf.h>

#include <string_view>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/elf_reader.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in libraries, exported, search_path and other_objects. `dynamic` is the PT_DYNAMIC segment; the reader
// knows the PT_LOAD ones.
Result<void> read_dynamic(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path, ElfFile& file);

}  // namespace gantry::drivers
