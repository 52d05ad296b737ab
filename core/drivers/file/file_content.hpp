// SPDX-License-Identifier: Apache-2.0
//
// Reads a file into memory once, so that the checked bytes are the bytes that run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers {

inline constexpr std::size_t largest_driver_file = std::size_t{512} << 20;

// Reads the whole file and ignores the descriptor's position. `path` is for messages.
Result<std::vector<std::byte>> read_content(int descriptor, std::string_view path);

}  // namespace gantry::drivers
