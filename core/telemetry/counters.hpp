// SPDX-License-Identifier: Apache-2.0
//
// Counters of events, each with a name and an optional label. The core and drivers add to the counters, and
// `gantry status` shows them.
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

// A set of counters. [any thread]
class Counters {
 public:
  // Adds `amount` to the counter of a name and label. The first call makes the counter. An empty `label` means no
  // label. At most 1,000 counters are made for the names "driver.*" of one label, which are a driver's own, and 1,000
  // in all for other names. A call for a further name and label does nothing.
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
  // The order of the keys. Allows a lookup by KeyView, which copies no strings.
  struct Order {
    using is_transparent = void;
    bool operator()(const KeyView& a, const KeyView& b) const { return a < b; }
  };

  // The names of a driver take no other's place. Returns the label for a driver's own name, else an empty text.
  static std::string_view owner_of(const KeyView& key);

  mutable std::shared_mutex mutex_;
  std::map<std::string, std::size_t, std::less<>> made_;  // the number of counters by owner
  std::map<Key, std::atomic<std::uint64_t>, Order> values_;
};

}  // namespace gantry::telemetry
