// SPDX-License-Identifier: Apache-2.0
//
// RamFilter (Icehouse to Stein): total_usable_ram_mb x ratio, less the used memory, must be at least the flavor's
// memory_mb. The used memory is total_usable_ram_mb - free_ram_mb. A host that passes gets the limit. Icehouse and
// Juno use the configured ratio, later releases the host's. From Ocata on an instance may not be larger than the
// host.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"
#include "filters/parts/capacity_left.hpp"

namespace filter_driver {

namespace {

class ram final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("RamFilter", asked);
    return begin_ram(asked, {});
  }
};

}  // namespace

std::unique_ptr<filter_run> begin_ram(const question& asked, std::string_view aggregate_key) {
  const auto& hosts = asked.hosts;
  return begin_capacity_left(asked, static_cast<double>(asked.request.flavor->memory_mb),
                             {hosts.total_usable_ram_mb, 1, hosts.free_ram_mb, hosts.ram_allocation_ratio,
                              asked.options.ram_allocation_ratio, &host_limits::memory_mb},
                             aggregate_key);
}

const filter_rule ram_filter{"RamFilter", false, false, make_filter<ram>, "too little memory free"};

}  // namespace filter_driver
