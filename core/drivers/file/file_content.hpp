// SPDX-License-Identifier: Apache-2.0
//
// Reads a file into memory, so that all checks of the file see the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers {

inline constexpr std::size_t largest_driver_file = std::size_t{512} << 20;  // in bytes

// Returns the bytes of the whole file, from any position of the descriptor. Fails if the file is empty or larger than
// largest_driver_file. `path` is for messages.
Result<std::vector<std::byte>> read_content(int descriptor, std::string_view path);

}  // namespace gantry::drivers
