// SPDX-License-Identifier: Apache-2.0
//
// The databases of Nova that a site's files name.
#pragma once

#include <string>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/nova_settings.hpp"

namespace gantry::config::nova {

// Returns settings with host, database_connection and api_database_connection alone, as far as the files say them. The
// URLs are secrets. Fails if a value refers to an option that the files do not set.
Result<NovaSettings> named_databases(const Conf& conf);

// Returns the URL of a database with the parameters of the option connection_parameters behind it, as oslo.db has it.
std::string with_parameters(std::string url, const std::string& parameters);

}  // namespace gantry::config::nova
