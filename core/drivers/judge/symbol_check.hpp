// SPDX-License-Identifier: Apache-2.0
//
// Finds the symbols of a driver that lack a definition, because ld.so would refuse the driver. Internal to this
// folder.
#pragma once

#include <string>
#include <vector>

#include "core/drivers/file/elf_file.hpp"
#include "core/drivers/judge/library_search.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Fails if an undefined symbol of the file is defined neither by a library that the file needs, by one that these need,
// nor by this program itself. Libraries that the program happens to have loaded do not count: another version of the
// program may have others. `path` is the file's. Runs no code of the file.
Result<void> check_symbols(const std::string& path, const ElfFile& file, const LibrarySearch& search);

}  // namespace gantry::drivers
