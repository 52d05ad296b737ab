// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/sealed_copy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "core/files/errno_text.hpp"

namespace gantry::drivers {
namespace {

// MFD_EXEC of Linux 6.3, which the C library of Debian 12 does not name. Older kernels refuse it.
constexpr unsigned executable_flag = 0x10;

Error unavailable(const char* step) {
  return Error{
      ErrorCode::unsupported, std::string("sealed copy: expected ") + step + ", found " + files::errno_text(errno), {}};
}

// A policy (SELinux, vm.memfd_noexec) may give a memfd and forbid to run it: asked here, where there still is another
// way.
bool can_be_run(const files::Descriptor& copy) {
  void* const page = ::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, copy.number(), 0);
  if (page == MAP_FAILED) return false;
  ::munmap(page, 1);
  return true;
}

}  // namespace

Result<files::Descriptor> make_sealed_copy(std::span<const std::byte> content, const std::string& id) {
  const std::string name = "gantry-driver:" + id + ".so";
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int number = ::memfd_create(name.c_str(), flags | executable_flag);
  if (number < 0 && errno == EINVAL) number = ::memfd_create(name.c_str(), flags);
  if (number < 0) return unavailable("an executable memfd");
  files::Descriptor copy(number);
  while (!content.empty()) {
    const ssize_t written = ::write(copy.number(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return unavailable("memory for the driver's file");
    content = content.subspan(static_cast<std::size_t>(written));
  }
  if (::fcntl(copy.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return unavailable("a memfd that can be sealed");
  }
  if (!can_be_run(copy)) return unavailable("a memfd that may be executed");
  return copy;
}

}  // namespace gantry::drivers
