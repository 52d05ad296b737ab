// SPDX-License-Identifier: Apache-2.0
//
// The rule that RamFilter and DiskFilter share: total x ratio, less what is used, must be the wanted amount at least.
// From Ocata on the total alone must be the wanted amount too. A host that passes gets total x ratio as its limit.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rules/filter.hpp"

namespace filter_driver {

// The columns of a resource in the host table. Amounts are in MiB, unless the resource says otherwise.
struct host_resource {
  const number_column& total;
  double mib_per_unit;  // the unit of `total` and of the limit
  const number_column& free;
  const number_column& ratio;
  double configured_ratio;  // for releases without a ratio of each host
  std::optional<double> host_limits::*limit;
};

// `aggregate_key`: the key of the aggregates' metadata that overrides the ratio. Empty: aggregates have no say.
std::unique_ptr<filter_run> begin_capacity_left(const question& asked, double wanted_mib, const host_resource& resource,
                                                std::string_view aggregate_key);

}  // namespace filter_driver
