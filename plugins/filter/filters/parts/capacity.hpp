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

// Returns true from Zed on. Nova then has a placement service in place of CoreFilter, RamFilter and DiskFilter, and
// these filters judge as placement does: a host is asked for room only if the instance takes some of the resource.
bool judges_as_placement(const question& asked);

// Returns the disk that the instance takes, in MiB: root disk, ephemeral disk and swap. From Zed on it is the disk that
// Nova claims at placement. Before, the root disk counts even if it is a volume.
double disk_mb_wanted(const question& asked);

// Returns the request's flavor. Throws if the request has none: "RamFilter: the request has no flavor".
const flavor_facts& flavor_for(std::string_view filter, const question& asked);

}  // namespace filter_driver
