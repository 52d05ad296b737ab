// SPDX-License-Identifier: Apache-2.0
//
// A hash that is the same in every process and release (64-bit FNV-1a): for what is stored and compared later. Not
// for anything that an adversary may choose.
#pragma once

#include <cstdint>
#include <string_view>

namespace gantry {

constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace gantry
