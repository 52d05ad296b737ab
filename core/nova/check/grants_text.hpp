// SPDX-License-Identifier: Apache-2.0
//
// The SQL that gives a user of Gantry's own what Gantry needs in Nova's databases, and no more.
#pragma once

#include <string>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct ServerGrants {
  std::string place;                    // "db1:3306"
  std::vector<std::string> statements;  // without a semicolon
};

// Asks the API database for the cells. `grantee` is "'gantry'@'%'".
Result<std::vector<ServerGrants>> grants_for(const config::NovaSettings& settings, const std::string& grantee);

}  // namespace gantry::nova
