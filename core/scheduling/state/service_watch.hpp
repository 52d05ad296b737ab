// SPDX-License-Identifier: Apache-2.0
//
// Which services have gone down by their heartbeats, as far as it has been told, so that each going down and coming up
// is told once.
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
  // At start: those that are down already are known to be, and not told.
  void begin(const fleet::Fleet& fleet, fleet::Nanoseconds now);
  // service.down of those whose heartbeat has grown too old since it last looked. One thread at a time.
  std::vector<Event> look(const fleet::Fleet& fleet, fleet::Nanoseconds now);

  bool is_down(std::string_view topic, std::string_view host) const;
  // True: it had been told that it was down. For when it is told that it is up, or that it is removed.
  bool forget(std::string_view topic, std::string_view host);

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<std::string, std::string>, std::less<>> down_;
  std::atomic<bool> any_down_ = false;
  fleet::Nanoseconds looked_at_ = 0;
};

}  // namespace gantry::scheduling
