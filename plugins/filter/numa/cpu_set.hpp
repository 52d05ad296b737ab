// SPDX-License-Identifier: Apache-2.0
//
// A set of CPU numbers in ascending order. CPU numbers are 0 to 65535.
//
// Nova iterates over Python's sets, whose order differs for large numbers. A fit may then name other CPUs of the same
// core than Nova's compute host pins. The number of CPUs is the same, and the host's next report names the CPUs that
// are really pinned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace filter_driver {

using cpu_number = std::int32_t;
inline constexpr cpu_number last_cpu = 65535;

// Returns the numbers in ascending order, each once.
std::vector<cpu_number> ascending_cpus(std::span<const cpu_number> cpus);

class cpu_set {
 public:
  cpu_set() = default;
  explicit cpu_set(std::span<const cpu_number> cpus);

  std::size_t size() const { return cpus_.size(); }
  bool empty() const { return cpus_.empty(); }
  bool contains(cpu_number cpu) const {
    const auto word = static_cast<std::size_t>(cpu) / 64;
    return word < bits_.size() && (bits_[word] >> (static_cast<std::size_t>(cpu) % 64) & 1) != 0;
  }
  // Returns the number of CPUs of this set that `other` does not contain.
  std::size_t missing_in(const cpu_set& other) const;

  auto begin() const { return cpus_.begin(); }
  auto end() const { return cpus_.end(); }
  std::span<const cpu_number> cpus() const { return cpus_; }

  bool operator==(const cpu_set& other) const { return cpus_ == other.cpus_; }

 private:
  std::vector<cpu_number> cpus_;
  std::vector<std::uint64_t> bits_;
};

cpu_set intersection(std::span<const cpu_number> one, const cpu_set& other);
cpu_set difference(const cpu_set& one, const cpu_set& other);
cpu_set joined(const cpu_set& one, std::span<const cpu_number> other);

}  // namespace filter_driver
