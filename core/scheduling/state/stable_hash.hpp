// SPDX-License-Identifier: Apache-2.0
//
// Hashes a text with 64-bit FNV-1a. The hash is the same in every process and release, so it can be stored and compared
// later. An adversary can find texts with equal hashes.
#pragma once

#include <cstdint>
#include <string_view>

namespace gantry::scheduling {

constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace gantry::scheduling
