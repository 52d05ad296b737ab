// SPDX-License-Identifier: Apache-2.0
//
// What a driver's code and sentence mean to the service.
#pragma once

#include <string_view>

#include "core/drivers/call/driver_call.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// GANTRY_OK is a value. A code that driver.h does not have is the driver's fault: internal.
Result<void> outcome_of(gantry_code code, std::string_view sentence, std::string_view driver,
                        std::string_view operation);

}  // namespace gantry::drivers
