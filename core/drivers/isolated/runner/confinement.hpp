// SPDX-License-Identifier: Apache-2.0
//
// Takes rights from a runner, before it runs code of its driver and after it has created it.
#pragma once

#include <cstdint>

#include "core/result.hpp"

namespace gantry::drivers::isolated {

// No privileges, and of the system calls only those that a driver needs to be loaded and to compute. Files can be opened
// for reading alone. There are no sockets, no new programs, no signals to other processes.
Result<void> confine();
// From now on no thread can open a file or look at one by its name, or make new code. Error: the kernel refuses it, or a
// thread of the driver has a filter of its own.
Result<void> confine_further();
// Bounds the address space that the process may add to that which it has now, beside the stacks of so many threads. 0: no
// bound.
void limit_memory(std::uint64_t bytes, std::uint32_t threads);

}  // namespace gantry::drivers::isolated
