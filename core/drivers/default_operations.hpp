// SPDX-License-Identifier: Apache-2.0
//
// What the host does for a driver that leaves an operation out.
#pragma once

#include <cstdint>

#include "core/drivers/call/call_state.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Rows that are up and not disabled.
void default_hosts_up(DriverCall::State& state, const gantry_view& view, std::uint64_t* rows_out);
// Rows of the group's live members.
void default_group_hosts(const gantry_group& group, const gantry_view& view, std::uint64_t* rows_out);

}  // namespace gantry::drivers
