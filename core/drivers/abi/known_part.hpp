// SPDX-License-Identifier: Apache-2.0
//
// Copies the structs of a driver that may grow. Driver and host may come from different minor versions and know
// different sizes of a struct. The fields that both know are copied, and the other fields are zero.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "gantry/driver/growth.hpp"

namespace gantry::drivers {

// Returns a driver's struct in the size that the host knows. `size`: the size that the driver knows.
template <class T>
T known_part(const T& given, std::size_t size) {
  T known{};
  std::memcpy(&known, &given, std::min(size, sizeof(T)));
  return known;
}
// Takes the size from the struct's struct_size.
template <class T>
T known_part(const T& given) {
  T known = known_part(given, given.struct_size);
  known.struct_size = sizeof(T);
  return known;
}

}  // namespace gantry::drivers
