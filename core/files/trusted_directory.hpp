// SPDX-License-Identifier: Apache-2.0
//
// Whether a directory may hold files that this process believes.
#pragma once

#include <string>

#include "core/result.hpp"

namespace gantry::files {

// Fails with permission_denied if another user may write to the directory, or may replace it. `whose` begins the message:
// "store /var/lib/gantry/gantry.db". A directory that is missing passes.
Result<void> check_trusted_directory(const std::string& whose, const std::string& directory);

// Looks at the directories above alone.
Result<void> check_directories_above(const std::string& whose, const std::string& directory);

}  // namespace gantry::files
