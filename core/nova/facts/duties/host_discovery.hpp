// SPDX-License-Identifier: Apache-2.0
//
// Maps new hosts to their cells, as nova-manage cell_v2 discover_hosts does: compute nodes that are not mapped yet get a
// row in host_mappings.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/nova/facts/database/connection.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// Used by one thread at a time.
class HostDiscovery {
 public:
  struct CellDatabase {
    std::int64_t id = 0;  // the row's in cell_mappings
    std::string name;
    DatabaseUrl url;
  };

  HostDiscovery(DatabaseUrl api, Timeouts timeouts, std::shared_ptr<telemetry::Logger> logger);

  // Maps the hosts of these cells. Logs what it maps, and what goes wrong.
  void run(const std::vector<CellDatabase>& cells);

 private:
  Result<void> discover(const CellDatabase& cell);
  Result<void> map(Connection& api, Connection& in_cell, const CellDatabase& cell, const std::string& host);
  // Logs the warning, unless one with the same key has been logged.
  void warn_once(const std::string& key, std::string_view what, const std::string& about);

  const DatabaseUrl api_;
  const Timeouts timeouts_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::set<std::string> warned_;
};

}  // namespace gantry::nova
