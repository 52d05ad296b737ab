// SPDX-License-Identifier: Apache-2.0
//
// Unpredictable random bytes from the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Writes `size` random bytes, at most 256, to `into`. Cheap: many small requests share one system call. [any thread] A
// forked process must not call this function before exec, since it would get the same bytes as its parent.
void random_bytes(void* into, std::size_t size);
std::uint64_t random_number();

}  // namespace gantry
