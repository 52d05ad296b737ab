// SPDX-License-Identifier: Apache-2.0
#include "filter_scan.hpp"

namespace gantry::bench {

namespace {

std::uint64_t bytes_of(const gantry_column& column, std::uint64_t rows) {
  switch (column.type) {
    case GANTRY_TYPE_BOOL: return (rows + 63) / 64 * 8;
    case GANTRY_TYPE_STRING:
    case GANTRY_TYPE_SET: return rows * 4;
    case GANTRY_TYPE_JSON: return rows * sizeof(gantry_json);
    default: return rows * 8;
  }
}

#if defined(__x86_64__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
std::uint64_t
sum_of(const void* memory, std::uint64_t bytes) {
  const auto* words = static_cast<const std::uint64_t*>(memory);
  std::uint64_t sum = 0;
  for (std::uint64_t index = 0; index < bytes / 8; ++index) sum += words[index];
  return sum;
}

}  // namespace

std::uint64_t Scan::bytes() const {
  std::uint64_t total = 0;
  for (const auto* list : {&first, &second}) {
    for (const auto* column : *list) total += bytes_of(*column, rows);
  }
  return total;
}

std::uint64_t Scan::run() const {
  std::uint64_t sum = 0;
  for (const auto* list : {&first, &second}) {
    for (const auto* column : *list) sum += sum_of(column->values, bytes_of(*column, rows));
  }
  return sum;
}

MemoryScan::MemoryScan() : words_((std::uint64_t{1} << 30) / sizeof(std::uint64_t), 1) {}

std::uint64_t MemoryScan::run() const {
  return sum_of(words_.data(), bytes());
}

}  // namespace gantry::bench
