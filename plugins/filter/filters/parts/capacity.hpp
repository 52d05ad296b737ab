// SPDX-License-Identifier: Apache-2.0
//
// The rules that a filter shares with its Aggregate... form, as in RamFilter and AggregateRamFilter. The two filters
// differ only in where the ratio or the limit comes from. `aggregate_key`: the key of the aggregates' metadata that
// overrides the ratio or the limit. Empty: aggregates have no say.
#pragma once

#include <memory>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

std::unique_ptr<filter_run> begin_core(const question& asked, std::string_view aggregate_key);    // core.cpp
std::unique_ptr<filter_run> begin_ram(const question& asked, std::string_view aggregate_key);     // ram.cpp
std::unique_ptr<filter_run> begin_disk(const question& asked, std::string_view aggregate_key);    // disk.cpp
std::unique_ptr<filter_run> begin_io_ops(const question& asked, std::string_view aggregate_key);  // io_ops.cpp
std::unique_ptr<filter_run> begin_num_instances(const question& asked,
                                                std::string_view aggregate_key);  // num_instances.cpp

// Returns the flavor's disk in MiB: root disk, ephemeral disk and swap. Root and ephemeral disk count even if the
// root disk is a volume.
double disk_mb_wanted(const question& asked);

// Returns the request's flavor. Throws if the request has none: "RamFilter: the request has no flavor".
const flavor_facts& flavor_for(std::string_view filter, const question& asked);

}  // namespace filter_driver
