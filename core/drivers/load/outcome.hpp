// SPDX-License-Identifier: Apache-2.0
//
// Converts the outcome of a driver's operation, a code and a sentence for people, to a Result.
#pragma once

#include <string_view>

#include "core/drivers/call/driver_call.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Returns an Error unless the code is GANTRY_OK. The message has driver, operation and sentence. GANTRY_NO_VALID_HOST
// and GANTRY_CLAIM_LOST become no_valid_host with the sentence alone. A code that driver.h does not define becomes
// internal.
Result<void> outcome_of(gantry_code code, std::string_view sentence, std::string_view driver,
                        std::string_view operation);

// Returns the error of an operation in which the driver broke the ABI's rules. `how` is DriverCall::misuse.
Error misuse_of(std::string_view how, std::string_view driver, std::string_view operation);

}  // namespace gantry::drivers
