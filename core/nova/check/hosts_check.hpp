// SPDX-License-Identifier: Apache-2.0
//
// Compares what the databases and placement say of the hosts: a host needs a service, a compute node, a mapping to its
// cell and a resource provider before an instance can go there.
#pragma once

#include <set>
#include <span>
#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/database_check.hpp"
#include "core/nova/check/finding.hpp"

namespace gantry::nova {

struct HostsFound {
  const ApiFound& api;
  std::span<const CellFound> cells;                  // the cells that could be read
  bool has_all_cells = false;                        // no enabled cell is missing among them
  const std::set<std::string>* providers = nullptr;  // uuids; nullptr: placement could not be asked
};

void check_hosts(const HostsFound& found, const Report& report);
// Refuses computes that are too old, as Nova does at its start.
void check_versions(std::span<const CellFound> cells, const config::NovaSettings& settings, const Report& report);

}  // namespace gantry::nova
