// SPDX-License-Identifier: Apache-2.0
//
// Writes the time of a line of the log.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace gantry::telemetry {

using UtcText = std::array<char, std::string_view("YYYY-MM-DDThh:mm:ss.uuuuuuZ").size()>;

// Returns "2026-11-21T09:00:00.123456Z". Takes no memory, so that a signal handler may call it.
UtcText utc_text(std::chrono::system_clock::time_point time) noexcept;

}  // namespace gantry::telemetry
