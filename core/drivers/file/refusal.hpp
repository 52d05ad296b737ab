// SPDX-License-Identifier: Apache-2.0
//
// Words the refusal of a driver file that breaks a rule: path, rule, expected, found and advice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers {

struct Refusal {
  std::string_view rule;  // the name of the rule: "owner", "ELF machine"
  std::string expected;
  std::string found;
  std::string_view advice = {};  // a way to obey the rule; may be empty
};

inline constexpr std::string_view rebuild_advice = "build it again with the SDK's unchanged headers";

// Returns an Error with invalid_configuration and the message
// "<path>: <rule>: expected <expected>, found <found>; <advice>".
Error refuse(std::string_view path, const Refusal& refusal);

// Returns one Error with all messages, one on each line, and the code of the first. `problems` must not be empty.
Error joined(const std::vector<Error>& problems);

}  // namespace gantry::drivers
