// SPDX-License-Identifier: Apache-2.0
//
// Whether the libraries that a driver brings along may run: ld.so runs their code before the driver's own.
#pragma once

#include <string>
#include <vector>

#include "core/drivers/judge/library_search.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Each needed library is loaded already, comes from a system directory, or keeps the file rules of a driver, and so do
// those that it needs in turn, also those of the system's libraries. `path` is the driver's.
Result<void> check_libraries(const std::string& path, const std::vector<std::string>& needed,
                             const LibrarySearch& search);

}  // namespace gantry::drivers
