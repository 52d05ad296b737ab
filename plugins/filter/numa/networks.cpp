// SPDX-License-Identifier: Apache-2.0
#include "numa/networks.hpp"

#include <algorithm>

namespace filter_driver {
namespace {

bool has_physnet(const host_cell& cell, const std::string& physnet) {
  if (!cell.network_metadata) return false;
  const std::vector<std::string>& physnets = cell.network_metadata->physnets;
  return std::find(physnets.begin(), physnets.end(), physnet) != physnets.end();
}

bool has_tunnels(const host_cell& cell) {
  return cell.network_metadata && cell.network_metadata->tunneled;
}

// Returns whether a chosen cell has the network, or no cell of the host has it.
template <class Has>
bool is_near(const host_topology& host, std::span<const host_cell* const> chosen, Has has) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const host_cell* cell) { return has(*cell); }) ||
         std::none_of(host.cells.begin(), host.cells.end(), has);
}

}  // namespace

bool near_networks(const host_topology& host, std::span<const host_cell* const> chosen,
                   const network_metadata& wanted) {
  for (const std::string& physnet : wanted.physnets) {
    if (!is_near(host, chosen, [&](const host_cell& cell) { return has_physnet(cell, physnet); })) return false;
  }
  return !wanted.tunneled || is_near(host, chosen, has_tunnels);
}

}  // namespace filter_driver
