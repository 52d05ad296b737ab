// SPDX-License-Identifier: Apache-2.0
//
// How many hosts of a view are in which state, and which are the fullest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"

namespace gantry::scheduling {

struct HostCounts {
  std::uint64_t up = 0, down = 0, disabled = 0, forced_down = 0;
};

// A row counts in one state: forced_down before disabled before up.
HostCounts count_hosts(const fleet::Moment& moment, const gantry_view& view);

// How full a host is: the shares of what may be given out that are used or claimed. 0: the host has not reported.
struct HostFullness {
  std::string host, node;
  double vcpus = 0, memory = 0, disk = 0;
  std::uint64_t instances = 0;

  double most() const;
};

// Returns the `most` fullest rows of the view that are up and enabled, the fullest first.
std::vector<HostFullness> fullest_hosts(const fleet::Moment& moment, const gantry_view& view, std::size_t most);

}  // namespace gantry::scheduling
