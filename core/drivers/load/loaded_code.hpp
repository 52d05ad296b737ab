// SPDX-License-Identifier: Apache-2.0
//
// Finds the driver or library whose code lies at an address, for the crash report. Internal to core/drivers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::drivers {

// The code of one loaded file. Lives as long as the process, like the code.
struct LoadedCode {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::string id;    // the id of the driver or library
  std::string path;  // the file that was loaded
};

// Adds the loaded file that has code at `address`. [control]
void add_loaded_code(const void* address, const std::string& id, const std::string& path);

// Each function returns nullptr if there is no such code. [signal handler]
const LoadedCode* loaded_code_at(std::uintptr_t address) noexcept;
const LoadedCode* loaded_code_of(std::string_view id) noexcept;
// Returns the code that an address on the stack of this thread points into, from the address `stack` upwards. Only for
// a thread that the core did not make: the stack of such a thread begins in the code that made the thread.
const LoadedCode* loaded_code_on_stack(std::uintptr_t stack) noexcept;

}  // namespace gantry::drivers
