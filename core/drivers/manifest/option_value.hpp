// SPDX-License-Identifier: Apache-2.0
//
// Checks the value of an option against the option's declaration in the manifest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"

namespace gantry::drivers {

// Returns the option type of a name, e.g. GANTRY_OPTION_INTEGER for "integer". 0 for an unknown name.
std::int32_t option_type(std::string_view name);
// Returns the name of an option type, e.g. "integer". Empty for an unknown type.
std::string_view option_type_name(std::int32_t type);

// Returns the value with its type, for messages: "integer 5", "string 'a'", "a list of 3 strings".
std::string describe(const config::OptionValue& value);

// The parts of a message about a value that its declaration does not allow.
struct Misfit {
  std::string expected;
  std::string found;
};

// Checks type, form of a path, minimum, maximum and choices. Returns nullopt if the value is valid. Does not check the
// names in an option that accepts offers, because they depend on the libraries.
std::optional<Misfit> check_value(const OptionDeclaration& option, const config::OptionValue& value);

}  // namespace gantry::drivers
