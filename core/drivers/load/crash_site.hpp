// SPDX-License-Identifier: Apache-2.0
//
// Reads where a signal interrupted its thread. Internal to this folder.
#pragma once

#include <cstdint>

namespace gantry::drivers {

// Returns the address of the interrupted instruction. 0 on a processor that this function does not know. `context`: the
// third argument of the handler. [signal handler]
std::uintptr_t instruction_of(const void* context) noexcept;

}  // namespace gantry::drivers
