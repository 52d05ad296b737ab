// SPDX-License-Identifier: Apache-2.0
//
// fuzz_driver_file without libFuzzer: each file of the directories named, as it is, cut and bent by a fixed seed.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/drivers/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

// Most of what is read is in the header, the tables behind it and the section table at the end.
std::size_t choose_position(gantry::drivers::Random& random, std::size_t size) {
  const std::size_t edge = std::min<std::size_t>(size, 4096);
  const std::uint64_t number = random.next();
  switch (number % 3) {
    case 0: return (number >> 8U) % edge;
    case 1: return size - 1 - (number >> 8U) % edge;
    default: return (number >> 8U) % size;
  }
}

void bend(const Bytes& original, gantry::drivers::Random& random) {
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    Bytes bytes = original;
    for (std::uint64_t changes = 1 + random.next() % 4; changes > 0; --changes) {
      const std::uint64_t number = random.next();
      bytes[choose_position(random, bytes.size())] = static_cast<std::uint8_t>(number % 5 == 0 ? 0xff : number >> 8U);
    }
    run(bytes);
    bytes.resize(random.next() % bytes.size());
    run(bytes);
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  gantry::drivers::Random random(1);
  std::size_t files = 0;
  for (int index = 1; index < argument_count; ++index) {
    for (const auto& entry : std::filesystem::directory_iterator(arguments[index])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.empty()) continue;
      run(bytes);
      bend(bytes, random);
      ++files;
    }
  }
  std::cout << files << " files read\n";
  return files == 0 ? 1 : 0;
}
