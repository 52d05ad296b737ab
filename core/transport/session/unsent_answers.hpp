// SPDX-License-Identifier: Apache-2.0
//
// The bytes of all answers together that clients have not taken yet. Beyond the bound the connection ends that has held
// most of them for longest.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gantry::transport {

class Connection;

// [any thread]
class UnsentAnswers {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t least = 64 * 1024;  // bytes; a connection that holds fewer need not be counted

  explicit UnsentAnswers(std::uint64_t most) : most_(most) {}

  // Notes how many bytes the connection holds, from `now` on or since it has held any. 0: none any more. Abandons the
  // worst connection, perhaps this one, as long as there are too many bytes.
  void note(const std::shared_ptr<Connection>& connection, std::uint64_t bytes, Clock::time_point now);
  // The connection has ended.
  void forget(const Connection* connection);
  std::uint64_t bytes() const;

 private:
  struct Held {
    std::weak_ptr<Connection> connection;
    std::uint64_t bytes = 0;
    Clock::time_point since;
  };
  // Removes the connection with the most bytes times seconds. Under mutex_, while some are held.
  std::shared_ptr<Connection> take_worst(Clock::time_point now);

  const std::uint64_t most_;
  mutable std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  std::unordered_map<const Connection*, Held> held_;
};

}  // namespace gantry::transport
