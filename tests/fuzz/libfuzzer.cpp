// SPDX-License-Identifier: Apache-2.0
//
// The target as libFuzzer calls it.
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(gantry::fuzz::run({data, size}));
  return 0;
}
