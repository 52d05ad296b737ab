// SPDX-License-Identifier: Apache-2.0
//
// What whoever runs a test chose for it by the environment.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace gantry::reliability {

// The number in the variable, or what is usual.
inline std::uint64_t chosen(const char* variable, std::uint64_t usual) {
  const char* text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? usual : std::strtoull(text, nullptr, 10);
}

// GANTRY_SEED, or another each time.
inline std::uint64_t chosen_seed() {
  return chosen("GANTRY_SEED", std::random_device()());
}

}  // namespace gantry::reliability
