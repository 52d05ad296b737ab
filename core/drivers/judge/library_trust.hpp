// SPDX-License-Identifier: Apache-2.0
//
// Checks the libraries that a driver needs, because ld.so runs their code before the driver's own.
#pragma once

#include <string>
#include <vector>

#include "core/drivers/judge/library_search.hpp"
#include "core/result.hpp"

namespace gantry::drivers {

// Accepts a library that is loaded already, lies in a system directory, or obeys the same rules of owner, mode and
// search path as a driver. Also checks the libraries that each needed library needs itself. `path` is the driver's
// file, `needed` the names of the libraries that it needs.
Result<void> check_libraries(const std::string& path, const std::vector<std::string>& needed,
                             const LibrarySearch& search);

}  // namespace gantry::drivers
