// SPDX-License-Identifier: Apache-2.0
//
// Times as text: ISO 8601 in UTC. In memory they are nanoseconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry {

// ISO 8601 ("T" or a space, fraction and Z optional, UTC) or nullopt.
std::optional<std::int64_t> parse_time(std::string_view text);
// "2026-11-21T09:00:00.123456Z"; what is less than a microsecond is left out.
std::string time_text(std::int64_t nanoseconds);
// The same with as many digits as it takes to read the very same time again: none, 3, 6 or 9.
std::string exact_time_text(std::int64_t nanoseconds);

}  // namespace gantry
