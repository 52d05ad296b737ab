// SPDX-License-Identifier: Apache-2.0
//
// The request as a driver reads it: the structs of driver.h, made from a RequestSpec.
#pragma once

#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/driver.hpp"
#include "core/scheduling/decision/row_bounds.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// Builds the request in the call's memory. Returns nullptr if that memory is used up. `group` is nullptr if the request
// has no group, `bounds` if all rows may be used. The request points into `spec`, `group` and `bounds`, which must
// outlive the call.
const gantry_request* build_driver_request(drivers::DriverCall& call, const drivers::Driver& driver,
                                           const RequestSpec& spec, const RequestedGroup* group,
                                           std::uint32_t alternates, std::uint32_t explain_hosts,
                                           const RowBounds* bounds = nullptr);
// Builds the group in the call's memory. Returns nullptr if that memory is used up. `group` must outlive the call.
// gantry_group.member_rows leaves out the members that `without_members` names.
const gantry_group* build_driver_group(drivers::DriverCall& call, const RequestedGroup& group,
                                       const std::vector<std::string>& without_members);

}  // namespace gantry::scheduling
