// SPDX-License-Identifier: Apache-2.0
//
// Converts a driver's code and sentence to a Result.
#pragma once

#include <string_view>

#include "core/drivers/call/driver_call.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Returns an Error unless the code is GANTRY_OK. A code that driver.h does not define becomes internal, the driver's
// fault.
Result<void> outcome_of(gantry_code code, std::string_view sentence, std::string_view driver,
                        std::string_view operation);

}  // namespace gantry::drivers
