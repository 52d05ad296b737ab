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
// Searches the stack of this thread, from the address `stack` upwards, for an address of code, and returns that code.
// Use this for a thread that a driver has made: its stack begins in the driver's code.
const LoadedCode* loaded_code_on_stack(std::uintptr_t stack) noexcept;

}  // namespace gantry::drivers
