// SPDX-License-Identifier: Apache-2.0
#include "service_requests.hpp"

#include "core/encoding/json.hpp"
#include "service_load.hpp"

namespace gantry::bench {

namespace {

constexpr std::string_view context = R"({"user_id":"6c1e8a1f0b7d4d3f9d7c2f6f7a1b3c5d",
"project_id":"0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b","system_scope":null,"project":"0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b",
"domain":null,"user_domain":"default","project_domain":"default","is_admin":false,"read_only":false,
"show_deleted":false,"auth_token":null,"request_id":"","global_request_id":null,"resource_uuid":null,
"roles":["member","reader"],"user_identity":"6c1e8a1f0b7d4d3f9d7c2f6f7a1b3c5d 0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b - default default",
"is_admin_project":true,"read_deleted":"no","remote_address":"10.1.4.7","timestamp":"2026-11-21T09:00:00.123456",
"quota_class":null,"user_name":"demo","service_catalog":[],"project_name":"demo"})";

constexpr std::string_view request_spec = R"({"nova_object.name":"RequestSpec","nova_object.namespace":"nova",
"nova_object.version":"1.14","nova_object.data":{"id":4711,
"image":{"nova_object.name":"ImageMeta","nova_object.namespace":"nova","nova_object.version":"1.8",
"nova_object.data":{"id":"2d9c1c0e-52a6-4c0f-9a43-6f1f1f6e2b11","name":"debian-12","status":"active",
"checksum":"5d41402abc4b2a76b9719d911017c592","owner":"0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b","size":345243648,
"container_format":"bare","disk_format":"qcow2","created_at":"2026-10-01T08:00:00Z","updated_at":"2026-10-01T08:01:30Z",
"min_ram":512,"min_disk":4,"properties":{"nova_object.name":"ImageMetaProps","nova_object.namespace":"nova",
"nova_object.version":"1.34","nova_object.data":{"hw_architecture":"x86_64","hw_disk_bus":"virtio"}}},
"nova_object.changes":["properties","checksum","size","min_disk","status","min_ram","container_format","owner","id",
"name","created_at","updated_at","disk_format"]},
"numa_topology":null,"pci_requests":{"nova_object.name":"InstancePCIRequests","nova_object.namespace":"nova",
"nova_object.version":"1.1","nova_object.data":{"requests":[]},"nova_object.changes":["requests"]},
"project_id":"0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b","user_id":"6c1e8a1f0b7d4d3f9d7c2f6f7a1b3c5d","availability_zone":null,
"flavor":{"nova_object.name":"Flavor","nova_object.namespace":"nova","nova_object.version":"1.2",
"nova_object.data":{"id":3,"name":"m1.medium","memory_mb":4096,"vcpus":2,"root_gb":40,"ephemeral_gb":0,"flavorid":"3",
"swap":0,"rxtx_factor":1.0,"vcpu_weight":0,"disabled":false,"is_public":true,
"extra_specs":{"hw:cpu_policy":"shared","quota:disk_read_iops_sec":"2000"},"description":null,
"created_at":"2026-09-12T10:00:00Z","updated_at":null,"deleted_at":null,"deleted":false}},
"num_instances":1,"ignore_hosts":null,"force_hosts":null,"force_nodes":null,"requested_destination":null,"retry":null,
"limits":{"nova_object.name":"SchedulerLimits","nova_object.namespace":"nova","nova_object.version":"1.0",
"nova_object.data":{"numa_topology":null,"vcpu":null,"disk_gb":null,"memory_mb":null},
"nova_object.changes":["memory_mb","disk_gb","vcpu","numa_topology"]},
"instance_group":null,"scheduler_hints":{},
"security_groups":{"nova_object.name":"SecurityGroupList","nova_object.namespace":"nova","nova_object.version":"1.1",
"nova_object.data":{"objects":[{"nova_object.name":"SecurityGroup","nova_object.namespace":"nova",
"nova_object.version":"1.2","nova_object.data":{"name":"default"},"nova_object.changes":["name"]}]},
"nova_object.changes":["objects"]},
"is_bfv":false,"requested_resources":[],"request_level_params":{"nova_object.name":"RequestLevelParams",
"nova_object.namespace":"nova","nova_object.version":"1.1","nova_object.data":{}},
"requested_networks":{"nova_object.name":"NetworkRequestList","nova_object.namespace":"nova",
"nova_object.version":"1.1","nova_object.data":{"objects":[{"nova_object.name":"NetworkRequest",
"nova_object.namespace":"nova","nova_object.version":"1.3","nova_object.data":{
"network_id":"7f6e5d4c-3b2a-4190-8877-665544332211","port_id":null,"device_profile":null},
"nova_object.changes":["network_id","port_id","device_profile"]}]},"nova_object.changes":["objects"]}},
"nova_object.changes":["limits","requested_networks","pci_requests","image","security_groups"]})";

constexpr std::string_view older_spec = R"({"num_instances":1,"instance_uuids":["@ID@"],
"image":{"id":"2d9c1c0e-52a6-4c0f-9a43-6f1f1f6e2b11","name":"debian-12","status":"active","min_ram":512,"min_disk":4,
"container_format":"bare","disk_format":"qcow2","size":345243648,"checksum":"5d41402abc4b2a76b9719d911017c592",
"properties":{"hw_architecture":"x86_64","hw_disk_bus":"virtio"}},
"instance_type":{"id":3,"name":"m1.medium","flavorid":"3","memory_mb":4096,"vcpus":2,"root_gb":40,"ephemeral_gb":0,
"swap":0,"rxtx_factor":1.0,"vcpu_weight":0,"disabled":false,"is_public":true,"deleted":false,
"extra_specs":{"hw:cpu_policy":"shared"}},
"instance_properties":{"project_id":"0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b","user_id":"6c1e8a1f0b7d4d3f9d7c2f6f7a1b3c5d",
"display_name":"web","display_description":"web","availability_zone":null,"memory_mb":4096,"vcpus":2,"root_gb":40,
"ephemeral_gb":0,"os_type":"linux","config_drive":"","key_name":"demo","metadata":{},"reservation_id":"r-4f2k9x1z",
"root_device_name":"/dev/vda","launch_index":0,"locked":false},
"security_group":["default"],"block_device_mapping":[]})";

// As text between others: without the line ends that make it readable here.
std::string joined(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c != '\n') line += c;
  }
  return line;
}

std::string with_ids(std::string text) {
  constexpr std::string_view place = "@ID@";
  for (auto at = text.find(place); at != std::string::npos; at = text.find(place)) {
    text.replace(at, place.size(), id_mark);
  }
  return text;
}

// A third for each of the prefixes that the driver ip tells apart.
std::string host_name(std::size_t number) {
  constexpr const char* prefixes[] = {"doc", "ops", "dev"};
  return prefixes[number % 3] + std::string("-rack") + std::to_string(number / 40) + "-" + std::to_string(number);
}

json::object compute_node(std::size_t number) {
  return {
      {"vcpus", 64},
      {"memory_mb", 262144},
      {"local_gb", 4000},
      {"vcpus_used", static_cast<std::int64_t>(number % 30)},
      {"memory_mb_used", static_cast<std::int64_t>(512 + number * 7919 % 90000)},
      {"local_gb_used", static_cast<std::int64_t>(number % 900)},
      {"free_ram_mb", 190000},
      {"free_disk_gb", 3000},
      {"hypervisor_type", "QEMU"},
      {"hypervisor_version", 7002000},
      {"host_ip", "10.0.0.1"},
      {"running_vms", 7},
      {"current_workload", 0},
      {"disk_available_least", 2900},
      {"cpu_info", R"({"arch":"x86_64","model":"Cascadelake-Server","vendor":"Intel","topology":{"cells":2,)"
                   R"("sockets":1,"cores":16,"threads":2},"features":["avx","avx2","avx512f","aes","vmx","pcid"]})"},
      {"supported_instances", R"([["x86_64","kvm","hvm"],["i686","kvm","hvm"]])"},
      {"stats", R"({"failed_builds":"0","num_instances":"7","num_vm_active":"7","io_workload":"0"})"}};
}

}  // namespace

std::string select_body(bool with_uuid) {
  std::string body = R"({"context":)" + joined(context) + R"(,"args":{)";
  if (with_uuid) body += R"("instance_uuids":["@ID@"],)";
  body += R"("spec_obj":)" + joined(request_spec) + R"(,"return_objects":true,"return_alternates":true}})";
  return with_ids(body);
}

std::string schedule_body() {
  return with_ids(R"({"context":)" + joined(context) + R"(,"args":{"request_spec":)" + joined(older_spec) +
                  R"(,"admin_password":null,"injected_files":[],"requested_networks":[],"is_first_time":true,)"
                  R"("filter_properties":{"config_options":{},"limits":{},"scheduler_hints":{}},)"
                  R"("legacy_bdm_in_spec":false}})");
}

std::vector<std::string> report_bodies(std::size_t agents, bool with_news) {
  std::vector<std::string> bodies;
  bodies.reserve(agents);
  for (std::size_t i = 0; i < agents; ++i) {
    const auto name = host_name(i);
    auto stats = compute_node(i);
    if (with_news) stats["boot_id"] = id_mark;
    bodies.push_back(json::write(
        json::object{{"args", json::object{{"name", json::array{name, name}}, {"stats", std::move(stats)}}}}));
  }
  return bodies;
}

std::vector<std::string> heartbeat_bodies(std::size_t agents) {
  std::vector<std::string> bodies;
  bodies.reserve(agents);
  for (std::size_t i = 0; i < agents; ++i)
    bodies.push_back(json::write(json::object{{"args", json::object{{"topic", "compute"}, {"host", host_name(i)}}}}));
  return bodies;
}

std::string fleet_body(std::size_t hosts) {
  json::array services;
  json::array nodes;
  for (std::size_t i = 0; i < hosts; ++i) {
    const auto name = host_name(i);
    services.push_back(json::object{{"topic", "compute"}, {"host", name}, {"binary", "nova-compute"}});
    auto node = compute_node(i);
    node["host"] = name;
    node["hypervisor_hostname"] = name;
    nodes.push_back(std::move(node));
  }
  json::object tables{{"services", std::move(services)}, {"compute_nodes", std::move(nodes)}};
  return json::write(json::object{{"args", json::object{{"tables", std::move(tables)}}}});
}

}  // namespace gantry::bench
