// SPDX-License-Identifier: Apache-2.0
//
// Converts times between ISO 8601 text in UTC and nanoseconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry {

// Reads ISO 8601 in UTC with "T" or a space between date and time. A fraction and a final "Z" or "+00:00" are optional.
// Returns nullopt for any other text, for a day that does not exist and for a year outside 1970 to 2200.
std::optional<std::int64_t> parse_time(std::string_view text);
// Returns "2026-11-21T09:00:00.123456Z". Truncates to microseconds.
std::string time_text(std::int64_t nanoseconds);
// Returns the shortest form that parse_time reads as the same time: the fraction has 0, 3, 6 or 9 digits.
std::string exact_time_text(std::int64_t nanoseconds);

}  // namespace gantry
