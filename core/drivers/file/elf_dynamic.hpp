// SPDX-License-Identifier: Apache-2.0
//
// Reads the dynamic section of a shared object as ld.so does: by addresses, not by sections.
#pragma once

#include <elf.h>

#include <string_view>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/elf_reader.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in libraries, exported, search_path and other_objects. `dynamic` is the PT_DYNAMIC segment. The reader must
// have the PT_LOAD segments.
Result<void> read_dynamic(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path, ElfFile& file);

}  // namespace gantry::drivers
