// SPDX-License-Identifier: Apache-2.0
//
// The request as a driver reads it: driver.h's struct over a RequestSpec, in the call's memory.
#pragma once

#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/driver.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// Both return nullptr if the call's memory is used up. `spec` and `group` must outlive the call. The rows of a group's
// members are those of all members but `without_members`.
const gantry_request* build_driver_request(drivers::DriverCall& call, const drivers::Driver& driver,
                                           const RequestSpec& spec, const RequestedGroup* group,
                                           std::uint32_t alternates, std::uint32_t explain_hosts);
const gantry_group* build_driver_group(drivers::DriverCall& call, const RequestedGroup& group,
                                       const std::vector<std::string>& without_members);

}  // namespace gantry::scheduling
