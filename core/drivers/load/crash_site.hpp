// SPDX-License-Identifier: Apache-2.0
//
// The place in a thread at which the process ends. Internal to this folder.
#pragma once

#include <cstdint>

namespace gantry::drivers {

struct CrashSite {
  std::uintptr_t instruction = 0;  // 0: not known
  std::uintptr_t stack = 0;        // the lowest address of the thread's stack that is in use; 0: not known
};

// Returns where a signal interrupted its thread. `context`: the third argument of the handler. Nothing is known on a
// processor that this function does not know. [signal handler]
CrashSite interrupted_site(const void* context) noexcept;
// Returns the place from which a function was called that returns to `caller`. [signal handler]
CrashSite calling_site(const void* caller) noexcept;

}  // namespace gantry::drivers
