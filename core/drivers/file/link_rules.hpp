// SPDX-License-Identifier: Apache-2.0
//
// Checks how a shared object was linked, because ld.so refuses some objects only in some processes.
#pragma once

#include <string_view>
#include <vector>

#include "core/drivers/file/elf_file.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Returns an error for each of these: text relocations and an executable stack, which a service without writable code
// (MemoryDenyWriteExecute=yes) cannot load; static TLS, whose place in memory may be taken by then; symbols for all
// objects; constructors in front of all others. `path` is for messages.
std::vector<Error> link_problems(const ElfFile& file, std::string_view path);

}  // namespace gantry::drivers
