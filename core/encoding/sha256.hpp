// SPDX-License-Identifier: Apache-2.0
//
// SHA-256, of driver files and of access tokens.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.hpp"

namespace gantry {

// In 64 lower-case hexadecimal digits.
Result<std::string> sha256_of(std::span<const std::byte> content);

std::string to_hexadecimal(std::span<const std::byte> bytes);

}  // namespace gantry
