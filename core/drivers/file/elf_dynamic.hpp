// SPDX-License-Identifier: Apache-2.0
//
// Reads the dynamic section of a shared object as ld.so does: finds tables by their addresses and ignores the section
// headers.
#pragma once

#include <elf.h>

#include <string_view>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/file/elf_reader.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fills in libraries, exported, undefined, has_text_relocations, has_static_tls, search_path and other_objects of
// `file`. `dynamic` is the PT_DYNAMIC segment. The
// PT_LOAD segments must have been added to the reader. `path` is for messages.
Result<void> read_dynamic(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path, ElfFile& file);

}  // namespace gantry::drivers
