// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/crash_site.hpp"

#include <ucontext.h>

namespace gantry::drivers {

CrashSite interrupted_site(const void* context) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(registers.gregs[REG_RIP]), static_cast<std::uintptr_t>(registers.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {static_cast<std::uintptr_t>(registers.pc), static_cast<std::uintptr_t>(registers.sp)};
#else
  static_cast<void>(registers);
  return {};
#endif
}

CrashSite calling_site(const void* caller) noexcept {
  return {reinterpret_cast<std::uintptr_t>(caller), reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))};
}

}  // namespace gantry::drivers
