// SPDX-License-Identifier: Apache-2.0
//
// Bloomberg's weighers of the share that is free, in place of Nova's weighers of the amount that is free: small and large
// hosts then fill up alike.
#include <gantry/weigher.hpp>

#include "operators.hpp"

namespace operators {
namespace {

// bloomberg/chef-bcpc, chef/cookbooks/bcpc/files/default/nova/bcpc_ram.py
class ram_share final : public gantry::host_weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "ram_weight_multiplier";
  std::optional<double> score(const gantry::host_row_view& host, const gantry::request&) const override {
    const auto total = static_cast<double>(*host.integer("memory_mb"));
    return total > 0 ? std::optional(*host.real("free_ram_mb") / total) : std::nullopt;
  }
};

// bloomberg/chef-bcpc, chef/cookbooks/bcpc/files/default/nova/bcpc_cpu.py
class cpu_share final : public gantry::host_weigher {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a weigher names its option
  static constexpr std::string_view multiplier_name = "cpu_weight_multiplier";
  std::optional<double> score(const gantry::host_row_view& host, const gantry::request&) const override {
    const double total = static_cast<double>(*host.integer("vcpus")) * *host.real("cpu_allocation_ratio");
    return total > 0 ? std::optional(1 - *host.real("vcpus_used") / total) : std::nullopt;
  }
};

}  // namespace

gantry_offer ram_share_weigher() {
  return gantry::offer_weigher<ram_share>("RAMShareWeigher");
}

gantry_offer cpu_share_weigher() {
  return gantry::offer_weigher<cpu_share>("CPUShareWeigher");
}

}  // namespace operators
