// SPDX-License-Identifier: Apache-2.0
//
// The latest decisions, for the question why an instance is where it is, or why it has no host. In memory alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gantry::scheduling {

// [any thread]
class RecentDecisions {
 public:
  static constexpr std::size_t most = 10'000;

  // Keeps the record, a JSON text, of a decision about instances. It replaces earlier ones about the same instances.
  void add(std::span<const std::string> instance_uuids, std::string record);
  // Returns the record of the latest decision about the instance.
  std::optional<std::string> find(const std::string& instance_uuid) const;

 private:
  struct Kept {
    std::uint64_t number;
    std::shared_ptr<const std::string> record;
  };
  struct Entry {
    std::uint64_t number;
    std::string instance_uuid;
  };

  mutable std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::deque<Entry> order_;  // the oldest first
  std::unordered_map<std::string, Kept> by_instance_;
};

}  // namespace gantry::scheduling
