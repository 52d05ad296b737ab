// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_usage_from_instance_numa: adds an instance's use to a host's topology or removes it. In Ocata, dedicated
// CPUs also count in cpu_usage, where a CPU of the policy isolate counts as all threads of a core. Pages count in Ocata
// only if the instance requests a page size.
#pragma once

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

enum class usage_change : std::uint8_t { add, free };

// Returns a copy of the host. Each cell of the instance is added to, or freed from, the host cell with the same id. The
// copy equals the host if the host has no cells or `instance` is nullptr. Raises IndexError if the instance requests no
// page size and the host's cell has no pages. Raises CPUPinningInvalid, CPUPinningUnknown and their Unpinning forms if
// CPUs cannot be pinned or freed. Raises AttributeError if a cell with dedicated CPUs has no cpu_pinning.
outcome<host_topology> usage_with(const host_topology& host, const instance_topology* instance,
                                  usage_change change = usage_change::add, release rules = release::zed);

}  // namespace filter_driver
