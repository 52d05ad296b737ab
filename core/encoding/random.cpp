// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/random.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gantry {

namespace {

// Fetched ahead. The kernel gives up to 256 bytes whole.
struct Fetched {
  std::array<std::uint8_t, 256> bytes{};
  std::size_t used = bytes.size();
};

}  // namespace

void random_bytes(void* into, std::size_t size) {
  thread_local Fetched fetched;
  auto& [bytes, used] = fetched;
  if (bytes.size() - used < size) {
    // A kernel that has no random bytes for us leaves nothing sensible to do; it cannot happen after early boot.
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
    used = 0;
  }
  std::copy_n(bytes.data() + used, size, static_cast<std::uint8_t*>(into));
  // The given bytes may become a secret, so no copy is left.
  std::fill_n(bytes.data() + used, size, std::uint8_t{0});
  used += size;
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  random_bytes(&number, sizeof number);
  return number;
}

}  // namespace gantry
