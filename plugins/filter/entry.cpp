// SPDX-License-Identifier: Apache-2.0
//
// Filter: what Nova's FilterScheduler decides, the same way. The filters of enabled_filters leave hosts out, one after
// the other; the weighers of weight_classes put the rest in order; the best whose claim holds is picked, with the
// limits that the filters have set. The resources of the request's earlier instances count as taken for the later ones.
#include <filter_manifest.hpp>
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <memory>
#include <string>

#include "decision/decision.hpp"
#include "policy/offered_rules.hpp"

namespace {

class filter_scheduler final : public gantry::driver {
 public:
  filter_scheduler(filter_driver::settings options, const filter_driver::offered_rules& offered)
      : rules_(std::move(options), offered),
        classes_(static_cast<std::size_t>(rules_.options().request_cache_mib) * 1024 * 1024) {}

  static std::unique_ptr<filter_scheduler> create(gantry::call& call, const gantry::options& options) {
    const filter_driver::offered_rules offered{gantry::offers(call.host())};
    auto settings = filter_driver::settings::read(options, offered.filter_names(), offered.weigher_names());
    call.log(gantry::level::info, "decides as Nova of the release " + std::string(settings.compatibility->name) +
                                      "; the driver's option compatibility chooses the release");
    return std::make_unique<filter_scheduler>(std::move(settings), offered);
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    filter_driver::decision decision(call, request, rules_, documents_, &classes_);
    const auto code = gantry::place_all(call, request, decision);
    return code == gantry::code::ok ? decision.offer_alternates() : code;
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    filter_driver::decision decision(call, request, rules_, documents_, &classes_);
    return gantry::place_each(call, request, decision);
  }

  gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
    filter_driver::decision(call, request, rules_, documents_).count(counts, document_counts_);
    return gantry::code::ok;
  }
  const void* extension(std::string_view id) noexcept override {
    return gantry::capacity_extension<filter_scheduler>(id);
  }

 private:
  const filter_driver::policy rules_;
  filter_driver::document_cache documents_;
  filter_driver::class_cache classes_;
  filter_driver::document_counts document_counts_;
};

}  // namespace

GANTRY_DRIVER(filter_scheduler,
              "id = 'filter'\n"
              "version = '1.0.0'\n"
              "description = 'the filters and weighers of Nova, with its options'\n"
              "license = 'Apache-2.0'\n"
              "vendor = 'Gantry'\n"
              "topics = ['compute']\n"
              "threads = 'reentrant'\n"
              "[columns]\n"
              "needs = ['host', 'up', 'disabled', 'vcpus', 'memory_mb', 'local_gb']\n"
              "uses = ['hypervisor_hostname', 'uuid', 'availability_zone', 'host_ip', 'hypervisor_type', \n"
              "        'hypervisor_version', 'vcpus_used', 'memory_mb_used', 'free_ram_mb', \n"
              "        'local_gb_used', 'free_disk_gb', 'disk_available_least', 'cpu_allocation_ratio', \n"
              "        'ram_allocation_ratio', 'disk_allocation_ratio', 'cpu_info', 'supported_instances', 'stats', \n"
              "        'running_vms', 'current_workload', 'capabilities', 'metrics', 'numa_topology', 'pci_stats', "
              "'aggregates', 'instances', \n"
              "        'claims.instances', 'stats.num_instances:i64', 'stats.io_workload:i64', \n"
              "        'stats.failed_builds:i64', 'stats.cell_uuid:string']\n" FILTER_DRIVER_OPTIONS);
