// SPDX-License-Identifier: Apache-2.0
//
// The host's defaults for the optional operations of a driver.
#pragma once

#include <cstdint>

#include "core/drivers/call/call_state.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Sets the rows that are up and not disabled.
void default_hosts_up(DriverCall::State& state, const gantry_view& view, std::uint64_t* rows_out);
// Sets the rows of the group's live members.
void default_group_hosts(const gantry_group& group, const gantry_view& view, std::uint64_t* rows_out);

}  // namespace gantry::drivers
