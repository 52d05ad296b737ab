// SPDX-License-Identifier: Apache-2.0
//
// DiskFilter (Icehouse to Stein): total_usable_disk_gb x 1024 x ratio, less the used disk, must be at least the
// flavor's disks (root, ephemeral, swap). The used disk is the total - free_disk_mb. A host that passes gets the
// limit, in GiB. Icehouse and Juno use the configured ratio, later releases the host's. From Ocata on an instance may
// not be larger than the host.
//
// Zed has no DiskFilter: its placement service judges the disk. Here the filter judges as placement does. The used
// disk is local_gb_used, which has the reserved disk in it; disk_available_least does not count. An instance that boots
// from a volume takes no root disk, swap counts in whole GiB, and a host needs no room for an instance without disk.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"
#include "filters/parts/capacity_left.hpp"

namespace filter_driver {

namespace {

class disk final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("DiskFilter", asked);
    return begin_disk(asked, {});
  }
};

}  // namespace

std::unique_ptr<filter_run> begin_disk(const question& asked, std::string_view aggregate_key) {
  const auto& hosts = asked.hosts;
  const auto& free = judges_as_placement(asked) ? hosts.unallocated_disk_mb : hosts.free_disk_mb;
  return begin_capacity_left(asked, disk_mb_wanted(asked),
                             {hosts.total_usable_disk_gb, 1024, free, hosts.disk_allocation_ratio,
                              asked.options.disk_allocation_ratio, &host_limits::disk_gb},
                             aggregate_key);
}

const filter_rule disk_filter{"DiskFilter", false, false, make_filter<disk>, "too little disk free"};

}  // namespace filter_driver
