// SPDX-License-Identifier: Apache-2.0
//
// The rule that RamFilter and DiskFilter share: total x ratio, less the used amount, must be at least the wanted
// amount. From Ocata on, the total alone must also be at least the wanted amount. A host that passes gets total x ratio
// as its limit. From Zed on, every host passes without a limit if the wanted amount is 0, as with placement.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// The columns of a resource in the host table. `total` and the limit are in units of the resource, `free` is in MiB.
struct host_resource {
  const number_column& total;
  double mib_per_unit;  // MiB in one unit: 1 for memory, 1024 for disk, whose unit is GiB
  const number_column& free;
  const number_column& ratio;
  double configured_ratio;                    // replaces `ratio` by Icehouse's rules
  std::optional<double> host_limits::*limit;  // the limit that the filter sets
};

// Returns nullptr if every host passes. `aggregate_key`: the key of the aggregates' metadata that overrides the ratio.
// Empty: aggregates have no say.
std::unique_ptr<filter_run> begin_capacity_left(const question& asked, double wanted_mib, const host_resource& resource,
                                                std::string_view aggregate_key);

}  // namespace filter_driver
