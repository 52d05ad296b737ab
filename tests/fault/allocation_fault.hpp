// SPDX-License-Identifier: Apache-2.0
//
// SQLite's memory, of which any allocation can be made to fail.
#pragma once

#include <cstdint>

namespace gantry::fault {

// Before SQLite is first used in the process.
void install_allocation_faults();

// The allocation that fails, counted from 1 from now on; 0: none.
void fail_allocation(std::uint64_t at);
bool allocation_has_failed();

}  // namespace gantry::fault
