// SPDX-License-Identifier: Apache-2.0
//
// Reads the signs of a deployment's release from its databases. Nothing is written.
#pragma once

#include <string>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/found_level.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct SearchedLevel {
  FoundLevel found;
  std::vector<std::string> warnings;  // databases that could not be read and may say otherwise
};

// Reads the database of [database], the API database, and that of each enabled cell, as far as the settings name them. Fails if
// one of the first two cannot be read, or if neither is named. A cell that cannot be read is a warning.
Result<SearchedLevel> search_level(const config::NovaSettings& settings);

}  // namespace gantry::nova
