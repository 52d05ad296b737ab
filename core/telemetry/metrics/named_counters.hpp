// SPDX-License-Identifier: Apache-2.0
//
// Counts by names that come from outside, such as the steps of a driver. The number of names is bounded.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::telemetry {

// [any thread] Takes no lock. Takes memory only for a name that is new.
class NamedCounters {
 public:
  static constexpr std::size_t most_names = 128;
  static constexpr std::size_t longest_name = 100;    // bytes; longer names are cut
  static constexpr std::string_view other = "other";  // counts an empty name, and all names after most_names

  NamedCounters() = default;
  ~NamedCounters();
  NamedCounters(const NamedCounters&) = delete;
  NamedCounters& operator=(const NamedCounters&) = delete;

  void add(std::string_view name, std::uint64_t amount = 1);
  // Returns the names that were counted, sorted, each with its sum.
  std::vector<std::pair<std::string, std::uint64_t>> read() const;

 private:
  struct Slot {
    std::atomic<const std::string*> name{nullptr};  // set once
    std::atomic<std::uint64_t> value{0};
  };

  // Returns the slot of the name. nullptr: there are too many names.
  Slot* slot_of(std::string_view name);

  // Twice as many as names, so that a search soon meets an empty one.
  std::array<Slot, 2 * most_names> slots_{};
  std::atomic<std::size_t> names_{0};
  std::atomic<std::uint64_t> others_{0};
};

}  // namespace gantry::telemetry
