// SPDX-License-Identifier: Apache-2.0
//
// What reading columns costs at best: all their values summed, as wide as the machine can.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gantry/driver.h"

namespace gantry::bench {

struct Scan {
  std::vector<const gantry_column*> first;   // read once to filter and find the extremes
  std::vector<const gantry_column*> second;  // read once more to weigh
  std::uint32_t rows = 0;

  std::uint64_t bytes() const;
  std::uint64_t run() const;
};

// More memory than a processor's caches hold, read once.
class MemoryScan {
 public:
  MemoryScan();
  std::uint64_t bytes() const { return words_.size() * sizeof(std::uint64_t); }
  std::uint64_t run() const;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace gantry::bench
