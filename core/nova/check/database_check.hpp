// SPDX-License-Identifier: Apache-2.0
//
// Tries Nova's databases: the API database, the one of [database], and that of each enabled cell.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/finding.hpp"
#include "core/nova/facts/facts.hpp"

namespace gantry::nova {

struct ApiFound {
  std::vector<Cell> cells;  // all but cell0
  std::vector<HostMapping> host_mappings;
  std::chrono::steady_clock::duration refresh_time{0};
};

struct NodeFound {
  std::string host;
  std::string node;
  std::string uuid;  // that of the node's resource provider, too
};

struct CellFound {
  std::int64_t id = 0;
  std::string name;
  std::int64_t lowest_version = 0;  // the lowest of nova-compute; see start_check.hpp
  std::vector<std::string> service_hosts;
  std::vector<NodeFound> nodes;
  std::size_t instances = 0;
  std::chrono::steady_clock::duration refresh_time{0};
};

// nullopt: what was found cannot be trusted; the report says why.
std::optional<ApiFound> check_api_database(const config::NovaSettings& settings, const Report& report);
// The database that holds the scheduler's own row.
void check_own_database(const config::NovaSettings& settings, const Report& report);
// The database of the mirror. Says nothing if it is not named or not used.
void check_placement_database(const config::NovaSettings& settings, const Report& report);
std::optional<CellFound> check_cell(const Cell& cell, const config::NovaSettings& settings, const Report& report);

}  // namespace gantry::nova
