// SPDX-License-Identifier: Apache-2.0
//
// Bloomberg's weighers of the share that is free, in place of Nova's weighers of the amount that is free: small and large
// hosts then fill up alike.
#include <gantry/weigher.hpp>

#include "operators.hpp"

namespace operators {
// bloomberg/chef-bcpc, chef/cookbooks/bcpc/files/default/nova/bcpc_ram.py
gantry_offer ram_share_weigher() {
  return gantry::offer_host_weigher(
      "RAMShareWeigher",
      [](const gantry::host_row_view& host, const gantry::request&) -> std::optional<double> {
        const auto total = static_cast<double>(*host.integer("memory_mb"));
        return total > 0 ? std::optional(*host.real("free_ram_mb") / total) : std::nullopt;
      },
      "ram_weight_multiplier");
}

// bloomberg/chef-bcpc, chef/cookbooks/bcpc/files/default/nova/bcpc_cpu.py
gantry_offer cpu_share_weigher() {
  return gantry::offer_host_weigher(
      "CPUShareWeigher",
      [](const gantry::host_row_view& host, const gantry::request&) -> std::optional<double> {
        const double total = static_cast<double>(*host.integer("vcpus")) * *host.real("cpu_allocation_ratio");
        return total > 0 ? std::optional(1 - *host.real("vcpus_used") / total) : std::nullopt;
      },
      "cpu_weight_multiplier");
}

}  // namespace operators
