// SPDX-License-Identifier: Apache-2.0
//
// UUIDs in their two forms: 16 bytes and the text with four hyphens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry {

// Accepts upper and lower case; nullopt if it is not 8-4-4-4-12 hexadecimal digits.
std::optional<gantry_uuid> parse_uuid(std::string_view text);
std::string to_text(const gantry_uuid& uuid);
// A random (version 4) one.
gantry_uuid random_uuid();

}  // namespace gantry
