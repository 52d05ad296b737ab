// SPDX-License-Identifier: Apache-2.0
//
// The parts of the answer of the method stats, as tables.
#pragma once

#include <string>

#include "core/cli/terminal/text_table.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// Returns a time as people read it: "73 us", "1.24 ms", "3.1 s". `microseconds`: nullptr, not a number or 0: "-".
std::string time_text(const json::value* microseconds);

TextTable driver_table(const json::object& stats);   // decisions and their times
TextTable refusal_table(const json::object& stats);  // by driver and step, the most first; empty: none
TextTable method_table(const json::object& stats);   // calls and their times
TextTable part_table(const json::object& stats);     // pin, turn, driver, commit and the store's own
TextTable busiest_table(const json::object& stats);

// "12 decisions: 9 placed, 3 without a host, 0 failed"
std::string decisions_text(const json::object& stats);
// "10 up, 0 down, 1 disabled, 0 forced down"
std::string host_states_text(const json::object& stats);

}  // namespace gantry::cli
