// SPDX-License-Identifier: Apache-2.0
//
// A set of CPU numbers that is walked in the order in which CPython walks a set of the same integers: which of a
// core's threads Nova pins first follows from it. CPU numbers are 0 to 65535.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace filter_driver {

using cpu_number = std::int32_t;
inline constexpr cpu_number last_cpu = 65535;

// The order in which CPython walks a set that was given these numbers one after another; repeats are dropped.
std::vector<cpu_number> python_set_order(std::span<const cpu_number> added);

class cpu_set {
 public:
  cpu_set() = default;
  explicit cpu_set(std::span<const cpu_number> added);

  std::size_t size() const { return order_.size(); }
  bool empty() const { return order_.empty(); }
  bool contains(cpu_number cpu) const {
    const auto word = static_cast<std::size_t>(cpu) / 64;
    return word < bits_.size() && (bits_[word] >> (static_cast<std::size_t>(cpu) % 64) & 1) != 0;
  }
  // How many of these CPUs the other set lacks.
  std::size_t missing_in(const cpu_set& other) const;

  auto begin() const { return order_.begin(); }
  auto end() const { return order_.end(); }
  std::span<const cpu_number> cpus() const { return order_; }

  // Of the same CPUs, whatever their order.
  bool operator==(const cpu_set& other) const { return order_.size() == other.order_.size() && missing_in(other) == 0; }

 private:
  std::vector<cpu_number> order_;
  std::vector<std::uint64_t> bits_;
};

cpu_set intersection(std::span<const cpu_number> one, const cpu_set& other);
cpu_set difference(const cpu_set& one, const cpu_set& other);
cpu_set joined(const cpu_set& one, std::span<const cpu_number> other);

}  // namespace filter_driver
