// SPDX-License-Identifier: Apache-2.0
//
// Random bytes that nobody can predict, from the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Cheap: many small asks share one call of the kernel. [any thread] Not in a process that was forked and goes on
// without exec: it would get what its parent gets.
void random_bytes(void* into, std::size_t size);  // up to 256
std::uint64_t random_number();

}  // namespace gantry
