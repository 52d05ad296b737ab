// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 digests of driver files and access tokens.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.hpp"

namespace gantry {

// Returns the digest in 64 lower-case hexadecimal digits. Fails only if OpenSSL does.
Result<std::string> sha256_of(std::span<const std::byte> content);

// Returns two lower-case hexadecimal digits for each byte.
std::string to_hexadecimal(std::span<const std::byte> bytes);

}  // namespace gantry
