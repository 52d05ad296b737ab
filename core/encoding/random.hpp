// SPDX-License-Identifier: Apache-2.0
//
// Unpredictable random bytes from the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Writes up to 256 random bytes. Cheap: many small requests share one system call. [any thread] A process that was
// forked must not use it without exec, since it would get the same bytes as its parent.
void random_bytes(void* into, std::size_t size);
std::uint64_t random_number();

}  // namespace gantry
