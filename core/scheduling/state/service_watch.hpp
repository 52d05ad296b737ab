// SPDX-License-Identifier: Apache-2.0
//
// Remembers the services that are down because their heartbeats stopped. A service.down or service.up event is
// therefore published once for each change.
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

// [any thread] `now` is in steady time.
class ServiceWatch {
 public:
  // Remembers the services that are down already, without an event. Called at the start of the service.
  void begin(const fleet::Fleet& fleet, fleet::Nanoseconds now);
  // Returns a service.down event for each service whose last heartbeat has become too old since the previous look. One
  // thread at a time.
  std::vector<Event> look(const fleet::Fleet& fleet, fleet::Nanoseconds now);

  // Returns whether the service is remembered as down.
  bool is_down(std::string_view topic, std::string_view host) const;
  // Forgets a service that is up again or was removed. Returns whether the service was remembered as down.
  bool forget(std::string_view topic, std::string_view host);

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<std::string, std::string>, std::less<>> down_;
  std::atomic<bool> any_down_ = false;
  fleet::Nanoseconds looked_at_ = 0;
};

}  // namespace gantry::scheduling
