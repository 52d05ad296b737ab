// SPDX-License-Identifier: Apache-2.0
//
// Whether a value may stand for an option, as its declaration in the manifest says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/config/settings.hpp"
#include "core/drivers/manifest/manifest.hpp"

namespace gantry::drivers {

// "integer" -> GANTRY_OPTION_INTEGER and so on; 0: no such type.
std::int32_t option_type(std::string_view name);
std::string_view option_type_name(std::int32_t type);

// As it would stand in TOML, for messages.
std::string describe(const config::OptionValue& value);

struct Misfit {
  std::string expected;
  std::string found;
};

// Type, minimum, maximum and choices; not the names in an option that takes offers, which rest on the libraries too.
// nullopt: it fits.
std::optional<Misfit> find_misfit(const OptionDeclaration& option, const config::OptionValue& value);

}  // namespace gantry::drivers
