// SPDX-License-Identifier: Apache-2.0
//
// SAP's rules about the memory of a vSphere cluster. Its freest node bounds the largest instance that fits, and the
// cluster's agent reports that node's free memory as memory_mb_max_unit.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "sap.hpp"

namespace operators {
namespace {

// sapcc/nova, nova/scheduler/filters/resize_reservation_filter.py
class resize_reserved_ram final : public gantry::host_filter {
 public:
  explicit resize_reserved_ram(const gantry::options& options)
      : percent_(options.real("resize_reserved_ram_percent")) {}
  bool passes(const gantry::host_row_view& host, const gantry::request& request) const override {
    if (moves_by(request, "resize")) return true;
    const auto total = static_cast<double>(*host.integer("memory_mb"));
    const double wanted = total - *host.real("free_ram_mb") + static_cast<double>(request.memory_mb());
    return 100 - wanted / (total * *host.real("ram_allocation_ratio")) * 100 >= percent_;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"the memory that is left is reserved for resizes"};
  }

 private:
  double percent_;
};

}  // namespace

// sapcc/nova, nova/scheduler/filters/hana_memory_max_unit_filter.py
gantry_offer hana_memory_max_unit_filter() {
  return gantry::offer_host_filter(
      "HANAMemoryMaxUnitFilter",
      [](const gantry::host_row_view& host, const gantry::request& request) {
        if (!requires_trait(request, sap::hana_host)) return true;
        const auto largest = host.integer(sap::memory_mb_max_unit);
        return !largest || *largest >= request.memory_mb();
      },
      "no node of the cluster has enough free memory");
}

gantry_offer resize_reserved_ram_filter() {
  return gantry::offer_filter<resize_reserved_ram>("ResizeReservedRAMFilter");
}

// sapcc/nova, nova/scheduler/weights/hana_binpack.py. Fewer is better, so the score is negative.
gantry_offer hana_bin_pack_weigher() {
  return gantry::offer_host_weigher(
      "HANABinPackWeigher",
      [](const gantry::host_row_view& host, const gantry::request& request) -> std::optional<double> {
        const auto largest = host.integer(sap::memory_mb_max_unit);
        return largest && requires_trait(request, sap::hana_host) ? -static_cast<double>(*largest) : 0.0;
      },
      "hana_binpack_weight_multiplier");
}

}  // namespace operators
