// SPDX-License-Identifier: Apache-2.0
//
// SAP's rules about instances that move: live migration to a host with the same processor flags, and resizes.
#include <gantry/filter.hpp>
#include <gantry/weigher.hpp>

#include <set>

#include "operators.hpp"
#include "sap.hpp"

namespace operators {
namespace {

// Returns the features in a cpu_info, which is an object or a text that holds one. nullopt: the document has no list.
std::optional<std::set<std::string>> cpu_features(std::string_view document) {
  const std::string inner = gantry::json_value(document).text().value_or(std::string(document));
  const gantry::json_value features = gantry::json_value(inner)["features"];
  if (!features.is_array()) return std::nullopt;
  std::set<std::string> found;
  features.for_each([&](gantry::json_value, gantry::json_value feature) { found.insert(feature.text().value_or("")); });
  return found;
}

// sapcc/nova, nova/scheduler/filters/cpu_info_migration_filter.py
class cpu_info_migration final : public gantry::filter {
 public:
  // cppcheck-suppress duplInheritedMember ; that is how a filter says when it runs
  static constexpr bool once_per_request = true;
  gantry::code keep(gantry::call&, const gantry::filter_run& run) override {
    const auto host = only_hint(run.request(), "source_host");
    const auto node = only_hint(run.request(), "source_node");
    if (!moves_by(run.request(), "live_migrate") || !host || !node) return gantry::code::ok;
    const auto documents = run.view().documents("cpu_info");
    const auto features_of = [&](std::uint32_t row) {
      return documents.has(row) ? cpu_features(gantry::text(documents[row].text)) : std::nullopt;
    };
    std::optional<std::set<std::string>> wanted;
    for (std::uint32_t row = 0; row < run.view().rows() && !wanted; ++row) {
      const bool is_source =
          run.view().texts("host")[row] == *host && run.view().texts("hypervisor_hostname")[row] == *node;
      if (is_source) wanted = features_of(row);
    }
    run.rows().keep_if([&](std::uint32_t row) {
      const auto found = features_of(row);
      return wanted && found && std::includes(found->begin(), found->end(), wanted->begin(), wanted->end());
    });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"their processors lack features of the source host"};
  }
};

// sapcc/nova, nova/scheduler/filters/resize_vcpu_max_unit_filter.py. vSphere clones before it resizes, so the target
// must take the instance as it was.
class resize_vcpu_max_unit final : public gantry::filter {
 public:
  gantry::code keep(gantry::call& call, const gantry::filter_run& run) override {
    const gantry::request& request = run.request();
    if (!sap::is_for_vmware(request) || !moves_by(request, "resize")) return gantry::code::ok;
    const auto uuids = gantry::each(request.instance_uuids());
    const auto before = uuids.empty() ? std::nullopt : call.locate(gantry::text(uuids[0]));
    if (before && before->vcpus <= request.vcpus()) return gantry::code::ok;
    const auto largest = run.view().find<gantry::column<std::int64_t>>("stats.vcpus_max_unit");
    run.rows().keep_if(
        [&](std::uint32_t row) { return before && largest && largest->has(row) && (*largest)[row] >= before->vcpus; });
    return gantry::code::ok;
  }
  gantry::filter_reason reason(gantry::call&, const gantry::filter_run&, const gantry::bits&) override {
    return {"no node of the cluster has the vCPUs that the instance has before the resize"};
  }
};

}  // namespace

gantry_offer cpu_info_migration_filter() {
  return gantry::offer_filter<cpu_info_migration>("CpuInfoMigrationFilter");
}

gantry_offer resize_vcpu_max_unit_filter() {
  return gantry::offer_filter<resize_vcpu_max_unit>("ResizeVcpuMaxUnitFilter");
}

// sapcc/nova, nova/scheduler/weights/resize_same_host.py
gantry_offer prefer_same_host_weigher() {
  return gantry::offer_host_weigher(
      "PreferSameHostOnResizeWeigher",
      [](const gantry::host_row_view& host, const gantry::request& request) -> std::optional<double> {
        const bool applies = moves_by(request, "resize") && sap::is_for_vmware(request);
        return applies && only_hint(request, "source_host") == host.host() ? 1 : 0;
      },
      "prefer_same_host_resize_weight_multiplier");
}

}  // namespace operators
