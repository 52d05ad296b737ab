// SPDX-License-Identifier: Apache-2.0
//
// The services that are known to be down because their heartbeats stopped. With it each service.down and service.up
// event is published once.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/events.hpp"

namespace gantry::scheduling {

// [any thread]
class ServiceWatch {
 public:
  // At start: the services that are down already are remembered, without an event.
  void begin(const fleet::Fleet& fleet, fleet::Nanoseconds now);
  // Returns a service.down event for each service whose heartbeat has become too old since the last look. One thread at
  // a time.
  std::vector<Event> look(const fleet::Fleet& fleet, fleet::Nanoseconds now);

  bool is_down(std::string_view topic, std::string_view host) const;
  // Removes a service that is up again or was removed. Returns whether it was known to be down.
  bool forget(std::string_view topic, std::string_view host);

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<std::string, std::string>, std::less<>> down_;
  std::atomic<bool> any_down_ = false;
  fleet::Nanoseconds looked_at_ = 0;
};

}  // namespace gantry::scheduling
