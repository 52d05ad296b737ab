// SPDX-License-Identifier: Apache-2.0
//
// A file's bytes, read once into memory, so that what was judged cannot change under the judge, and their digest.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::drivers {

inline constexpr std::size_t largest_driver_file = std::size_t{512} << 20;

// The whole file from its first byte, whatever the descriptor's position. `path` is for messages.
Result<std::vector<std::byte>> read_content(int descriptor, std::string_view path);

}  // namespace gantry::drivers
