// SPDX-License-Identifier: Apache-2.0
//
// Defaults of options that other options of a nova.conf often refer to, as $state_path, where no file sets them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::config::nova {

// Returns the default as text, which may refer to further options. nullopt for an option that is not in the table.
// Directories are those of the distributions' packages. $my_ip and $host are this machine's.
std::optional<std::string> default_of(std::string_view section, std::string_view key);

}  // namespace gantry::config::nova
