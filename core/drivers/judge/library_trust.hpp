// SPDX-License-Identifier: Apache-2.0
//
// Checks the libraries that a driver brings along, since ld.so runs their code before the driver's own.
#pragma once

#include <string>
#include <vector>

#include "core/drivers/judge/library_search.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Accepts a library that is loaded already, comes from a system directory, or obeys the file rules of a driver. Checks
// the libraries that each library needs in turn, also those of the system's libraries. `path` is the driver's.
Result<void> check_libraries(const std::string& path, const std::vector<std::string>& needed,
                             const LibrarySearch& search);

}  // namespace gantry::drivers
