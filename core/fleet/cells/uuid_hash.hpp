// SPDX-License-Identifier: Apache-2.0
//
// Hash, equality and order of UUIDs, for maps and sorted lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gantry/driver.h"

namespace gantry::fleet {

struct UuidHash {
  std::size_t operator()(const gantry_uuid& uuid) const {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, uuid.bytes, sizeof high);
    std::memcpy(&low, uuid.bytes + sizeof high, sizeof low);
    // Real UUIDs are random, those of test data count up. Mixing spreads both over the hash values.
    std::uint64_t mixed = (high ^ (low * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    return mixed ^ (mixed >> 32);
  }
};

struct UuidEqual {
  bool operator()(const gantry_uuid& a, const gantry_uuid& b) const {
    return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
  }
};

struct UuidLess {
  bool operator()(const gantry_uuid& a, const gantry_uuid& b) const {
    return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) < 0;
  }
};

}  // namespace gantry::fleet
