// SPDX-License-Identifier: Apache-2.0
//
// Makes UUIDs and converts them between 16 bytes and text with four hyphens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry {

// Accepts upper and lower case. Returns nullopt if the text is not 8-4-4-4-12 hexadecimal digits.
std::optional<gantry_uuid> parse_uuid(std::string_view text);
std::string to_text(const gantry_uuid& uuid);
// Returns a random UUID (version 4).
gantry_uuid random_uuid();

}  // namespace gantry
