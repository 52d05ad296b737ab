// SPDX-License-Identifier: Apache-2.0
#include "numa/cpu_set.hpp"

#include <algorithm>
#include <bit>

namespace filter_driver {
namespace {

// CPython's set of small integers, whose hashes are the integers themselves: open addressing that tries up to nine
// neighbours before it jumps, and a table that grows to above four times the members when it is three fifths full.
class python_table {
 public:
  void add(cpu_number cpu) {
    if (!place(cpu)) return;
    ++members_;
    const std::size_t mask = slots_.size() - 1;
    if (members_ * 5 >= mask * 3) grow();
  }

  std::vector<cpu_number> walk() const {
    std::vector<cpu_number> order;
    order.reserve(members_);
    for (const cpu_number slot : slots_) {
      if (slot != vacant) order.push_back(slot);
    }
    return order;
  }

 private:
  static constexpr cpu_number vacant = -1;
  static constexpr std::size_t neighbours = 9;
  static constexpr std::size_t smallest = 8;

  // false: it is a member already.
  bool place(cpu_number cpu) {
    const std::size_t mask = slots_.size() - 1;
    auto perturb = static_cast<std::size_t>(cpu);
    std::size_t slot = perturb & mask;
    for (;;) {
      const std::size_t last = slot + neighbours <= mask ? slot + neighbours : slot;
      for (std::size_t tried = slot; tried <= last; ++tried) {
        if (slots_[tried] == cpu) return false;
        if (slots_[tried] == vacant) {
          slots_[tried] = cpu;
          return true;
        }
      }
      perturb >>= 5;
      slot = (slot * 5 + 1 + perturb) & mask;
    }
  }

  void grow() {
    const std::vector<cpu_number> members = walk();
    slots_.assign(std::bit_ceil(members_ * 4 + 1), vacant);
    for (const cpu_number cpu : members) place(cpu);
  }

  std::vector<cpu_number> slots_ = std::vector<cpu_number>(smallest, vacant);
  std::size_t members_ = 0;
};

}  // namespace

std::vector<cpu_number> python_set_order(std::span<const cpu_number> added) {
  python_table table;
  for (const cpu_number cpu : added) table.add(cpu);
  return table.walk();
}

cpu_set::cpu_set(std::span<const cpu_number> added) : order_(python_set_order(added)) {
  if (order_.empty()) return;
  bits_.resize(static_cast<std::size_t>(*std::max_element(order_.begin(), order_.end())) / 64 + 1);
  for (const cpu_number cpu : order_) {
    bits_[static_cast<std::size_t>(cpu) / 64] |= std::uint64_t{1} << (static_cast<std::size_t>(cpu) % 64);
  }
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
  both.reserve(std::min(one.size(), other.size()));
  if (one.size() < other.size()) {
    std::copy_if(one.begin(), one.end(), std::back_inserter(both), [&](cpu_number cpu) { return other.contains(cpu); });
  } else {  // Python walks the smaller operand, the second one if they are as large
    std::copy_if(other.begin(), other.end(), std::back_inserter(both),
                 [&](cpu_number cpu) { return std::find(one.begin(), one.end(), cpu) != one.end(); });
  }
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
