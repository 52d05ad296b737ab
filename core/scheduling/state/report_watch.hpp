// SPDX-License-Identifier: Apache-2.0
//
// Notices reports that cannot be of one well machine: two machines that report by one name, and clocks that run ahead.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/events.hpp"

namespace gantry::scheduling {

// [any thread] Times are steady. A contest or a clock that is not seen again for a while is forgotten.
class ReportWatch {
 public:
  // Looks at a row's uuid and host_ip before and after a report. A machine may change them, but where an earlier pair
  // comes back another machine has reported meanwhile. Returns the event host.contested the first time that this is so.
  std::optional<Event> see(const fleet::ComputeNode& merged, const json::object& before, fleet::Nanoseconds now);
  // Notes that a report of the host was sampled at a time of the future.
  void see_clock_ahead(const std::string& topic, const std::string& host, fleet::Nanoseconds now);

  // Returns a sentence for each name that is contested, and one for the clocks that run ahead.
  std::vector<std::string> warnings(const fleet::Fleet& fleet, fleet::Nanoseconds now) const;

 private:
  struct Seen {
    std::string identity;  // "uuid 0f6f... at 192.0.2.1"
    fleet::Nanoseconds at = 0;
  };
  struct Changes {
    std::deque<Seen> earlier;
    std::string one, other;  // identities of the two machines
    fleet::Nanoseconds contested_at = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Changes> changes_;           // by the row's names, for people
  std::map<std::string, fleet::Nanoseconds> ahead_;  // by topic and host: when it was last ahead
};

}  // namespace gantry::scheduling
