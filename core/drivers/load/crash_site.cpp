// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/crash_site.hpp"

#include <ucontext.h>

namespace gantry::drivers {

std::uintptr_t instruction_of(const void* context) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(registers.pc);
#else
  static_cast<void>(registers);
  return 0;
#endif
}

}  // namespace gantry::drivers
