// SPDX-License-Identifier: Apache-2.0
#include "numa/cpu_set.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace filter_driver {

std::vector<cpu_number> ascending_cpus(std::span<const cpu_number> cpus) {
  std::vector<cpu_number> sorted(cpus.begin(), cpus.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

cpu_set::cpu_set(std::span<const cpu_number> cpus) : cpus_(ascending_cpus(cpus)) {
  if (cpus_.empty()) return;
  bits_.resize(static_cast<std::size_t>(cpus_.back()) / 64 + 1);
  for (const cpu_number cpu : cpus_)
    bits_[static_cast<std::size_t>(cpu) / 64] |= std::uint64_t{1} << (static_cast<std::size_t>(cpu) % 64);
}

std::size_t cpu_set::missing_in(const cpu_set& other) const {
  std::size_t missing = 0;
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    const std::uint64_t theirs = word < other.bits_.size() ? other.bits_[word] : 0;
    missing += static_cast<std::size_t>(std::popcount(bits_[word] & ~theirs));
  }
  return missing;
}

cpu_set intersection(std::span<const cpu_number> one, const cpu_set& other) {
  std::vector<cpu_number> both;
  both.reserve(one.size());
  std::copy_if(one.begin(), one.end(), std::back_inserter(both), [&](cpu_number cpu) { return other.contains(cpu); });
  return cpu_set(both);
}

cpu_set difference(const cpu_set& one, const cpu_set& other) {
  std::vector<cpu_number> rest;
  rest.reserve(one.size());
  std::copy_if(one.begin(), one.end(), std::back_inserter(rest), [&](cpu_number cpu) { return !other.contains(cpu); });
  return cpu_set(rest);
}

cpu_set joined(const cpu_set& one, std::span<const cpu_number> other) {
  std::vector<cpu_number> all(one.begin(), one.end());
  all.insert(all.end(), other.begin(), other.end());
  return cpu_set(all);
}

}  // namespace filter_driver
