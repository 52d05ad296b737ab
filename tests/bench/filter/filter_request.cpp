// SPDX-License-Identifier: Apache-2.0
#include "filter_request.hpp"

#include "core/encoding/json.hpp"

namespace gantry::bench {

namespace {

json::object versioned(std::string_view name, std::string_view version, json::object data) {
  return {{"nova_object.name", name},
          {"nova_object.namespace", "nova"},
          {"nova_object.version", version},
          {"nova_object.data", std::move(data)}};
}

json::value numa_topology(std::int64_t memory_mb) {
  json::array cells;
  for (int id = 0; id < 2; ++id) {
    cells.push_back(versioned("InstanceNUMACell", "1.6",
                              {{"id", id},
                               {"cpuset", json::array()},
                               {"pcpuset", json::array{2 * id, 2 * id + 1}},
                               {"cpuset_reserved", nullptr},
                               {"memory", memory_mb},
                               {"pagesize", 2048},
                               {"cpu_pinning_raw", nullptr},
                               {"cpu_policy", "dedicated"},
                               {"cpu_thread_policy", nullptr}}));
  }
  return versioned("InstanceNUMATopology", "1.3", {{"cells", std::move(cells)}, {"emulator_threads_policy", nullptr}});
}

json::value group_of(const std::vector<std::string>& members) {
  json::array uuids(members.begin(), members.end());
  return versioned("InstanceGroup", "1.11",
                   {{"id", 1},
                    {"uuid", "6a6a6a6a-0000-4000-8000-000000000001"},
                    {"name", "apart"},
                    {"policy", "anti-affinity"},
                    {"_rules", json::object()},
                    {"policies", json::array{"anti-affinity"}},
                    {"members", std::move(uuids)},
                    {"hosts", json::array()}});
}

}  // namespace

std::string request_spec(const AskedFor& asked) {
  const auto flavor = versioned("Flavor", "1.2",
                                {{"id", 3},
                                 {"name", "m1.medium"},
                                 {"flavorid", "3"},
                                 {"vcpus", asked.vcpus},
                                 {"memory_mb", asked.memory_mb},
                                 {"root_gb", asked.root_gb},
                                 {"ephemeral_gb", 0},
                                 {"swap", 0},
                                 {"rxtx_factor", 1.0},
                                 {"vcpu_weight", 0},
                                 {"disabled", false},
                                 {"is_public", true},
                                 {"extra_specs", json::object{{"hw:mem_page_size", "any"}}}});
  const auto image = versioned(
      "ImageMeta", "1.8",
      {{"id", "2d9c1c0e-52a6-4c0f-9a43-6f1f1f6e2b11"},
       {"name", "debian-12"},
       {"properties", versioned("ImageMetaProps", "1.34",
                                {{"hw_architecture", "x86_64"}, {"hw_disk_bus", "virtio"}, {"img_hv_type", "kvm"}})}});
  return json::write(
      versioned("RequestSpec", "1.14",
                {{"id", 4711},
                 {"image", image},
                 {"flavor", flavor},
                 {"numa_topology", asked.numa_memory_mb != 0 ? numa_topology(asked.numa_memory_mb) : json::value()},
                 {"pci_requests", versioned("InstancePCIRequests", "1.1", {{"requests", json::array()}})},
                 {"project_id", "0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b"},
                 {"user_id", "6c1e8a1f0b7d4d3f9d7c2f6f7a1b3c5d"},
                 {"availability_zone", nullptr},
                 {"num_instances", asked.instances},
                 {"ignore_hosts", nullptr},
                 {"force_hosts", nullptr},
                 {"force_nodes", nullptr},
                 {"requested_destination", nullptr},
                 {"retry", nullptr},
                 {"instance_group", asked.apart_from.empty() ? json::value() : group_of(asked.apart_from)},
                 {"scheduler_hints", json::object()},
                 {"is_bfv", false},
                 {"requested_resources", json::array()},
                 {"request_level_params", versioned("RequestLevelParams", "1.1", {})},
                 {"instance_uuid", "5e5e5e5e-0000-4000-8000-000000000001"}}));
}

}  // namespace gantry::bench
