// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_usage_from_instance_numa: a host's topology with an instance put on it or taken from it. In Ocata dedicated
// CPUs count among those in use, all threads of an isolated core do, and pages only where the instance asks for a size.
#pragma once

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

enum class usage_change : std::uint8_t { add, free };

// The instance's cells count on the host cells of the same ids. Without one of the two the host comes back as it is.
// Raises IndexError where the instance asks for no page size and the host's cell has none, and CPUPinningInvalid,
// CPUPinningUnknown and their Unpinning forms where CPUs cannot be pinned or freed; AttributeError without a pinning.
outcome<host_topology> usage_with(const host_topology& host, const instance_topology* instance,
                                  usage_change change = usage_change::add, release rules = release::zed);

}  // namespace filter_driver
