// SPDX-License-Identifier: Apache-2.0
//
// Which instance is on which host, as the fleet is to show it: what the databases say, and on top what casts have said
// since. A cast holds until a refresh that began after the cast has read its cell.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/nova/facts/fleet_hosts.hpp"

namespace gantry::nova {

// Used by one thread at a time.
class FleetInstances {
 public:
  using Clock = std::chrono::steady_clock;

  // The arguments outlive the object.
  FleetInstances(fleet::Fleet& fleet, const FleetHosts& hosts) : fleet_(fleet), hosts_(hosts) {}

  // Puts the facts of a refresh that began at `begun`. Adds to `changed` the hosts that have got an instance.
  void apply(std::int64_t cell, const CellFacts& facts, Clock::time_point begun, std::set<std::string>& changed);
  // Takes the cell's instances out of the fleet.
  void remove_cell(std::int64_t cell);

  // Takes what a cast of `now` says of a host in a cell. The uuids are in lower case.
  void cast_present(std::int64_t cell, const std::string& host, std::span<const std::string> uuids,
                    Clock::time_point now, std::set<std::string>& changed);
  void cast_gone(std::int64_t cell, const std::string& host, const std::string& uuid, Clock::time_point now);

 private:
  // A change that a cast has made.
  struct Cast {
    std::int64_t cell = 0;
    Clock::time_point at;
    std::optional<std::string> host;         // where the databases say that the instance is
    std::optional<json::object> image = {};  // its image, as they say; nullopt: as the fleet shows it
  };

  std::string host_of(const std::string& uuid) const;  // empty: the fleet does not show the instance on a host
  // An image that is not given stays as the fleet shows it.
  void put(const std::string& uuid, const std::string& host, const std::optional<json::object>& image = {});
  void remove(const std::string& uuid);
  void arrive(std::int64_t cell, const InstanceFact& fact);
  void leave(std::int64_t cell, const std::string& uuid);
  void remember(std::int64_t cell, const std::string& uuid, Clock::time_point now);

  fleet::Fleet& fleet_;
  const FleetHosts& hosts_;
  std::map<std::int64_t, std::unordered_set<std::string>> used_;  // the hosts of each cell that have had instances
  std::map<std::string, Cast> casts_;                             // by uuid
  // While an instance moves from cell to cell, both have a row of it: uuid -> cell -> host, without the one that is shown.
  std::map<std::string, std::map<std::int64_t, std::string>> elsewhere_;
};

}  // namespace gantry::nova
