// SPDX-License-Identifier: Apache-2.0
//
// The file of a MySQL client's options, such as my.cnf, which a database URL may name as read_default_file.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace gantry::config::nova {

// The options of a group by their names, in lower case and with - for _. Values may be secrets.
using ClientOptions = std::map<std::string, std::string, std::less<>>;

// Reads the options of [group] as Python's client does. nullopt: there is no such file. The error names the file.
Result<std::optional<ClientOptions>> read_client_file(const std::string& path, const std::string& group);

}  // namespace gantry::config::nova
