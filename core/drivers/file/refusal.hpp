// SPDX-License-Identifier: Apache-2.0
//
// How a driver file that breaks a rule is spoken of: path, rule, expected, found and what to do next.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::drivers {

struct Refusal {
  std::string_view rule;  // "owner", "ELF machine"
  std::string expected;
  std::string found;
  std::string_view advice = {};  // may be empty
};

inline constexpr std::string_view rebuild_advice = "build it again with the SDK's unchanged headers";

// invalid_configuration: "<path>: <rule>: expected <expected>, found <found>; <advice>".
Error refuse(std::string_view path, const Refusal& refusal);

// "error text (errno name)" of a failed system call.
std::string describe_errno(int error);

}  // namespace gantry::drivers
