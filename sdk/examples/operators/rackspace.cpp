// SPDX-License-Identifier: Apache-2.0
//
// The soft rules of Rackspace's public cloud (nova/scheduler/rackspace_weights.py of its branch of Nova): fill hosts up,
// spread a project, and keep the systems of one kind together, for their licences. Nova's agents report the counts in
// stats, as num_proj_ID and num_os_type_NAME.
#include <gantry/weigher.hpp>

#include "operators.hpp"
#include "request_facts.hpp"

namespace operators {
namespace {

// Returns a count in stats, which is a number or a text that is one.
double count_of(gantry::json_value value) {
  const auto text = value.text();
  return text ? number_of<double>(*text).value_or(0) : value.real().value_or(0);
}

}  // namespace

gantry_offer rax_instances_weigher() {
  return gantry::offer_host_weigher(
      "RAXInstancesHostWeigher",
      [](const gantry::host_row_view& host, const gantry::request&) -> std::optional<double> {
        return static_cast<double>(host.integer("running_vms").value_or(0));
      },
      "rax_instances_weight_mult");
}

gantry_offer rax_project_weigher() {
  return gantry::offer_host_weigher(
      "RAXProjectHostWeigher",
      [](const gantry::host_row_view& host, const gantry::request& request) -> std::optional<double> {
        const gantry::json_value stats(host.document("stats"));
        return -count_of(stats["num_proj_" + std::string(request.project_id())]);
      },
      "rax_instances_for_project_weight_mult");
}

gantry_offer rax_os_type_weigher() {
  return gantry::offer_host_weigher(
      "RAXOSTypeHostWeigher",
      [](const gantry::host_row_view& host, const gantry::request& request) -> std::optional<double> {
        const std::string own = "num_os_type_" + std::string(request.image_property("os_type").value_or(""));
        double others = 0;
        gantry::json_value(host.document("stats")).for_each([&](gantry::json_value key, gantry::json_value value) {
          const std::string name = key.text().value_or("");
          if (name.rfind("num_os_type_", 0) == 0 && name != own) others += count_of(value);
        });
        return -others;
      },
      "rax_instances_for_os_type_weight_mult");
}

}  // namespace operators
