// SPDX-License-Identifier: Apache-2.0
//
// Counters by name and at most one label. `gantry status` shows them; the core and drivers add to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::telemetry {

// [any thread]
class Counters {
 public:
  // Adds to a counter, which the first call makes. Drops counters beyond 1,000 pairs of name and label.
  void add(std::string_view name, std::string_view label, std::uint64_t amount);

  struct Entry {
    std::string name;
    std::string label;
    std::uint64_t value;
  };
  std::vector<Entry> list() const;  // sorted by name, then label

 private:
  using Key = std::pair<std::string, std::string>;
  using KeyView = std::pair<std::string_view, std::string_view>;
  // Looks a pair up without copying its strings.
  struct Order {
    using is_transparent = void;
    bool operator()(const KeyView& a, const KeyView& b) const { return a < b; }
  };

  mutable std::shared_mutex mutex_;
  std::map<Key, std::atomic<std::uint64_t>, Order> values_;
};

}  // namespace gantry::telemetry
