// SPDX-License-Identifier: Apache-2.0
//
// Finds the process that keeps the lock on a store, for the message to the next process.
#pragma once

#include <cstddef>
#include <string>

#include "core/files/descriptor.hpp"

namespace gantry::store {

// The width of the first line of the lock file, which names the process that took the lock, with its end of line.
inline constexpr std::size_t lock_holder_size = 20;

// Writes this process's number into the lock file.
void write_lock_holder(const files::Descriptor& lock_file);
// Returns "process 12", the process that took the lock. If that process has ended and a child of it keeps the lock,
// returns the child and its origin. "another process" if neither is known.
std::string lock_holder(const files::Descriptor& lock_file);

}  // namespace gantry::store
