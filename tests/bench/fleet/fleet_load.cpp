// SPDX-License-Identifier: Apache-2.0
#include "fleet_load.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace gantry::fleet::bench {

namespace {

std::string padded(std::size_t number, int digits) {
  std::string text = std::to_string(number);
  return std::string(static_cast<std::size_t>(digits) - text.size(), '0') + text;
}

std::string cpu_info(std::size_t number) {
  return R"({"arch": "x86_64", "model": "Cascadelake-Server", "vendor": "Intel", "features": ["pge", "clflush", "sse4.2",
    "avx", "avx2", "avx512f", "aes", "vmx", "pcid", "x2apic", "rdtscp", "md-clear", "spec-ctrl", "ssbd", "fsgsbase"],
    "topology": {"cells": 2, "cores": )" +
         std::to_string(16 + number % 3 * 8) + R"(, "threads": 2, "sockets": 1}})";
}

std::string pci_stats(std::size_t number) {
  return R"({"nova_object.name": "PciDevicePoolList", "nova_object.namespace": "nova", "nova_object.version": "1.1",
    "nova_object.data": {"objects": [{"nova_object.name": "PciDevicePool", "nova_object.data": {"product_id": "1572",
    "vendor_id": "8086", "numa_node": 0, "tags": {"dev_type": "type-PF", "physical_network": "physnet1"}, "count": )" +
         std::to_string(number % 5) + "}}]}}";
}

std::string counters(std::size_t number) {
  return R"({"failed_builds": "0", "num_instances": "10", "num_vm_active": "10", "num_task_None": "10",
    "num_os_type_None": "10", "num_proj_)" +
         uuid_text(number % 500) + R"(": "10", "io_workload": ")" + std::to_string(number % 7) + R"("})";
}

}  // namespace

std::string host_name(std::size_t number) {
  return "compute-" + padded(number, 6) + ".example.org";
}

std::string uuid_text(std::size_t number) {
  // Spread over all digits, as random ones are.
  const std::uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15u;
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-8000-%012zx", static_cast<unsigned>(mixed >> 32),
                static_cast<unsigned>(mixed >> 16 & 0xffff), static_cast<unsigned>(mixed & 0xfff), number);
  return text;
}

ComputeNode compute_node(std::size_t number) {
  ComputeNode node;
  node.topic = "compute";
  node.host = host_name(number);
  node.node = node.host;
  node.stats = {{"uuid", uuid_text(number)},
                {"vcpus", 64},
                {"memory_mb", 524288},
                {"local_gb", 4000},
                {"vcpus_used", 20},
                {"memory_mb_used", 40960 + static_cast<std::int64_t>(number % 1000)},
                {"local_gb_used", 200},
                {"free_ram_mb", 483328 - static_cast<std::int64_t>(number % 1000)},
                {"free_disk_gb", 3800},
                {"disk_available_least", 3700},
                {"running_vms", 10},
                {"current_workload", 0},
                {"hypervisor_type", "QEMU"},
                {"hypervisor_version", 7002000},
                {"host_ip", "10." + std::to_string(number >> 16 & 255) + "." + std::to_string(number >> 8 & 255) + "." +
                                std::to_string(number & 255)},
                {"cpu_allocation_ratio", 4.0},
                {"ram_allocation_ratio", 1.0},
                {"disk_allocation_ratio", 1.0},
                {"cpu_info", cpu_info(number)},
                {"supported_instances", R"([["x86_64", "kvm", "hvm"], ["i686", "kvm", "hvm"]])"},
                {"pci_stats", pci_stats(number)},
                {"metrics", "[]"},
                {"stats", counters(number)},
                {"mapped", 1}};
  node.sampled_at = node.updated_at = noon;
  return node;
}

void load(Fleet& fleet, const LoadSettings& settings) {
  for (std::size_t host = 0; host < settings.hosts; ++host) {
    Service service;
    service.topic = "compute";
    service.host = host_name(host);
    service.binary = "nova-compute";
    service.last_seen_up = noon + static_cast<Nanoseconds>(host * 7919 % 10'000'000);
    fleet.put_service(service);
    ComputeNode merged;
    ClaimChanges changes;
    fleet.put_compute_node(compute_node(host), merged, changes);
    changes.commit();
    for (std::size_t at = 0; at < settings.instances_per_host; ++at) {
      const auto number = host * settings.instances_per_host + at;
      Instance instance;
      instance.uuid = uuid_text(number);
      instance.name = "instance-" + padded(number, 8);
      instance.project_id = uuid_text(number % 500);
      instance.user_id = uuid_text(number % 900);
      instance.host = instance.node = host_name(host);
      instance.availability_zone = "nova";
      instance.vm_state = "active";
      instance.flavor = {{"name", "m1.small"}, {"vcpus", 2}, {"memory_mb", 4096}, {"root_gb", 20}};
      instance.image = uuid_text(number % 50);
      instance.request_id = "req-" + uuid_text(number);
      instance.created_at = instance.updated_at = instance.active_at = noon - second;
      fleet.put_instance(instance);
    }
  }
}

std::size_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  pages >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace gantry::fleet::bench
