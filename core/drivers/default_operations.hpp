// SPDX-License-Identifier: Apache-2.0
//
// The host's part where drivers leave operations out. The functions with rows_out fill in a zeroed bitmap with one bit for
// each row of the view.
#pragma once

#include <cstdint>
#include <string>

#include "core/drivers/call/call_state.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Sets the bits of the rows that are up and not disabled.
void default_hosts_up(DriverCall::State& state, const gantry_view& view, std::uint64_t* rows_out);
// Sets the bits of the rows that hold the group's live members.
void default_group_hosts(const gantry_group& group, const gantry_view& view, std::uint64_t* rows_out);

// Returns the error unsupported, for a decision of a driver that has methods alone.
Error chooses_no_hosts(const std::string& driver);

}  // namespace gantry::drivers
