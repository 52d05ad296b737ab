// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/unsent_answers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/transport/session/connection_set.hpp"

namespace gantry::transport {

void UnsentAnswers::note(const std::shared_ptr<Connection>& connection, std::uint64_t bytes, Clock::time_point now) {
  std::vector<std::shared_ptr<Connection>> worst;
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(connection.get());
    if (found != held_.end()) {
      bytes_ -= found->second.bytes;
      found->second.bytes = bytes;
      if (bytes == 0) held_.erase(found);
    } else if (bytes != 0) {
      held_.emplace(connection.get(), Held{connection, bytes, now});
    }
    bytes_ += bytes;
    while (bytes_ > most_) worst.push_back(take_worst(now));
  }
  for (const auto& each : worst)
    if (each) each->abandon();
}

void UnsentAnswers::forget(const Connection* connection) {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(connection);
  if (found == held_.end()) return;
  bytes_ -= found->second.bytes;
  held_.erase(found);
}

std::uint64_t UnsentAnswers::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

// A moment counts for those that came just now: of these the largest goes.
std::shared_ptr<Connection> UnsentAnswers::take_worst(Clock::time_point now) {
  const auto weight = [now](const auto& held) {
    constexpr std::chrono::duration<double> moment{0.001};
    return static_cast<double>(held.second.bytes) * (now - held.second.since + moment).count();
  };
  const auto worst = std::ranges::max_element(held_, {}, weight);
  auto connection = worst->second.connection.lock();
  bytes_ -= worst->second.bytes;
  held_.erase(worst);
  return connection;
}

}  // namespace gantry::transport
