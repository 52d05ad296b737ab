// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_usage_from_instance_numa: adds an instance to a host's topology or removes it. In Ocata, dedicated CPUs
// also count in cpu_usage, an isolated CPU uses all threads of its core, and pages count only if the instance
// requests a page size.
#pragma once

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

enum class usage_change : std::uint8_t { add, free };

// Returns the host with the instance's cells added to or freed from the host cells of the same ids. Without host
// cells or without an instance the host is returned unchanged. Raises IndexError if the instance requests no page
// size and the host's cell has no pages. Raises CPUPinningInvalid, CPUPinningUnknown and their Unpinning forms if
// CPUs cannot be pinned or freed. Raises AttributeError without a pinning.
outcome<host_topology> usage_with(const host_topology& host, const instance_topology* instance,
                                  usage_change change = usage_change::add, release rules = release::zed);

}  // namespace filter_driver
