// SPDX-License-Identifier: Apache-2.0
#include "filter_fleet.hpp"

#include <algorithm>
#include <array>

#include "core/encoding/json.hpp"

namespace gantry::bench {

namespace {

std::string padded(std::size_t number, std::size_t digits) {
  const auto text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

// What a host has and is, from its number.
struct Host {
  std::size_t number;
  std::uint64_t chance;

  explicit Host(std::size_t given) : number(given), chance((given + 1) * 0x9e3779b97f4a7c15U) {
    chance = (chance ^ (chance >> 31)) * 0xbf58476d1ce4e5b9U;
    chance ^= chance >> 29;
  }

  std::int64_t part(unsigned shift, std::uint64_t below) const {
    return static_cast<std::int64_t>((chance >> shift) % below);
  }
  std::string name() const { return "compute-" + padded(number, 7) + ".example"; }
  std::string uuid() const { return padded(number, 8) + "-0000-4000-8000-000000000000"; }
  std::int64_t kind() const { return static_cast<std::int64_t>(number / 40 % 3); }  // of a rack's machines
  std::int64_t vcpus() const { return 64 + 32 * kind(); }
  std::int64_t memory_mb() const { return 262144 << kind(); }
  std::int64_t local_gb() const { return 4000; }
  std::int64_t vcpus_used() const { return part(0, 128); }
  std::int64_t memory_mb_used() const { return 512 + part(7, 400) * 512; }
  std::int64_t local_gb_used() const { return part(16, 3000); }
  std::int64_t free_disk_gb() const { return local_gb() - local_gb_used(); }
  std::int64_t disk_available_least() const { return free_disk_gb() - part(28, 50); }
  std::int64_t instances() const { return part(34, 45); }
  std::int64_t io_ops() const { return part(40, 9) / 2; }
  std::int64_t failed_builds() const { return part(44, 100) == 0 ? 1 + part(50, 3) : 0; }
  std::int64_t hypervisor_version() const { return 7002000 + 1000 * kind(); }
  double cpu_allocation_ratio() const { return kind() == 0 ? 4.0 : 16.0; }
  double ram_allocation_ratio() const { return kind() == 2 ? 1.5 : 1.0; }
  std::int64_t devices() const { return number % 8 == 5 ? 1 + part(52, 8) : 0; }
  bool disabled() const { return part(12, 50) == 0; }
  bool down() const { return part(20, 33) == 0; }

  std::string cpu_info() const {
    return R"({"arch": "x86_64", "model": "EPYC-Milan", "vendor": "AMD", "topology": {"cells": 2, "cores": )" +
           std::to_string(16 + 8 * kind()) + R"(, "threads": 2, "sockets": 1}, "features": ["avx2", "aes", "svm"]})";
  }
  json::array supported_instances() const {
    json::array all{json::array{"x86_64", "kvm", "hvm"}, json::array{"i686", "kvm", "hvm"}};
    if (kind() == 1) all.push_back(json::array{"x86_64", "qemu", "hvm"});
    return all;
  }
  json::array pools() const {
    json::array all;
    if (devices() != 0) {
      all.push_back(json::object{{"vendor_id", "10de"},
                                 {"product_id", "20b5"},
                                 {"numa_node", number % 2},
                                 {"count", devices()},
                                 {"dev_type", "type-PCI"}});
    }
    return all;
  }
};

constexpr std::size_t aggregate_count = 9;

// Three zones, and six aggregates with metadata of which filters read.
fleet::Aggregate aggregate(std::size_t index) {
  static const std::array<std::map<std::string, std::string>, aggregate_count> metadata{{
      {{"availability_zone", "zone1"}},
      {{"availability_zone", "zone2"}},
      {{"availability_zone", "zone3"}},
      {{"ssd", "true"}},
      {{"ssd", "false"}, {"max_io_ops_per_host", "7"}},
      {{"filter_tenant_id", "0f3d5b7a9c1e4f608a2b4c6d8e0f1a3b"}},
      {{"max_instances_per_host", "44"}},
      {{"instance_type", "m1.medium,m1.small"}},
      {{"hw_architecture", "x86_64"}},
  }};
  fleet::Aggregate made;
  made.id = static_cast<std::int64_t>(index + 1);
  made.uuid = "a0000000-0000-4000-8000-00000000000" + std::to_string(index);
  made.name = "aggregate-" + std::to_string(index);
  made.metadata = metadata[index];
  return made;
}

std::vector<std::size_t> aggregates_of(const Host& host) {
  std::vector<std::size_t> all{host.number / 20 % 3};
  if (host.number % 4 == 1) all.push_back(3);
  if (host.number % 4 == 2) all.push_back(4);
  for (std::size_t index = 5; index < aggregate_count; ++index) {
    if (host.number / 10 % 7 == index - 5) all.push_back(index);
  }
  return all;
}

json::object set_of(std::int64_t first, std::int64_t count) {
  json::array members;
  for (std::int64_t member = first; member < first + count; ++member) members.push_back(member);
  return {{"_set", std::move(members)}};
}

json::object numa_cell(const Host& host, std::int64_t id) {
  const std::int64_t cpus = host.vcpus() / 2;
  const std::int64_t memory = host.memory_mb() / 2;
  const std::int64_t pages = memory / 4;  // of 2 MiB: half of the memory
  json::array siblings;
  for (std::int64_t cpu = id * cpus; cpu < (id + 1) * cpus; cpu += 2) siblings.push_back(set_of(cpu, 2));
  const auto page = [](std::int64_t size_kb, std::int64_t total, std::int64_t used) {
    return json::object{
        {"_object", "NUMAPagesTopology"}, {"size_kb", size_kb}, {"total", total}, {"used", used}, {"reserved", 0}};
  };
  const unsigned shift = id == 0 ? 3 : 24;
  return {{"_object", "NUMACell"},
          {"id", id},
          {"cpuset", set_of(id * cpus, cpus)},
          {"pcpuset", set_of(id * cpus, cpus)},
          {"cpu_usage", host.part(shift, 16)},
          {"memory", memory},
          {"memory_usage", host.part(shift, 5000)},
          {"pinned_cpus", set_of(id * cpus, host.part(shift, static_cast<std::uint64_t>(cpus)))},
          {"siblings", std::move(siblings)},
          {"socket", id},
          {"mempages", json::array{page(4, memory * 128, 0), page(2048, pages, host.part(shift, 2000))}}};
}

json::object report_of(const Host& host, bool has_numa) {
  json::object report{{"uuid", host.uuid()},
                      {"vcpus", host.vcpus()},
                      {"memory_mb", host.memory_mb()},
                      {"local_gb", host.local_gb()},
                      {"vcpus_used", host.vcpus_used()},
                      {"memory_mb_used", host.memory_mb_used()},
                      {"local_gb_used", host.local_gb_used()},
                      {"free_ram_mb", host.memory_mb() - host.memory_mb_used()},
                      {"free_disk_gb", host.free_disk_gb()},
                      {"disk_available_least", host.disk_available_least()},
                      {"cpu_allocation_ratio", host.cpu_allocation_ratio()},
                      {"ram_allocation_ratio", host.ram_allocation_ratio()},
                      {"disk_allocation_ratio", 1.0},
                      {"hypervisor_type", "QEMU"},
                      {"hypervisor_version", host.hypervisor_version()},
                      {"host_ip", "10.0.0.1"},
                      {"cpu_info", host.cpu_info()},
                      {"supported_instances", host.supported_instances()},
                      {"pci_stats", host.pools()},
                      {"metrics", json::array()},
                      {"stats", json::object{{"num_instances", host.instances()},
                                             {"io_workload", host.io_ops()},
                                             {"failed_builds", host.failed_builds()}}}};
  if (has_numa) {
    report["numa_topology"] =
        json::object{{"_object", "NUMATopology"}, {"cells", json::array{numa_cell(host, 0), numa_cell(host, 1)}}};
  }
  return report;
}

json::object nova_host(const Host& host) {
  json::array aggregates;
  for (const auto index : aggregates_of(host)) {
    const auto made = aggregate(index);
    json::object metadata;
    for (const auto& [key, value] : made.metadata) metadata[key] = value;
    aggregates.push_back(json::object{
        {"id", made.id}, {"uuid", made.uuid}, {"name", made.name}, {"metadata", metadata}, {"hosts", json::array()}});
  }
  const auto free_disk = std::min(host.free_disk_gb(), host.disk_available_least());
  return {{"host", host.name()},
          {"nodename", host.name()},
          {"cell_uuid", nullptr},
          {"uuid", host.uuid()},
          {"total_usable_ram_mb", host.memory_mb()},
          {"total_usable_disk_gb", host.local_gb()},
          {"disk_mb_used", host.local_gb_used() * 1024},
          {"free_ram_mb", host.memory_mb() - host.memory_mb_used()},
          {"free_disk_mb", free_disk * 1024},
          {"vcpus_total", host.vcpus()},
          {"vcpus_used", host.vcpus_used()},
          {"pci_stats", json::object{{"pools", host.pools()}}},
          {"numa_topology", nullptr},
          {"num_instances", host.instances()},
          {"num_io_ops", host.io_ops()},
          {"failed_builds", host.failed_builds()},
          {"host_ip", "10.0.0.1"},
          {"hypervisor_type", "QEMU"},
          {"hypervisor_version", host.hypervisor_version()},
          {"hypervisor_hostname", host.name()},
          {"cpu_info", host.cpu_info()},
          {"supported_instances", host.supported_instances()},
          {"limits", json::object()},
          {"metrics", json::array()},
          {"aggregates", std::move(aggregates)},
          {"instances", json::array()},
          {"ram_allocation_ratio", host.ram_allocation_ratio()},
          {"cpu_allocation_ratio", host.cpu_allocation_ratio()},
          {"disk_allocation_ratio", 1.0},
          {"updated", nullptr},
          {"stats", json::object()},
          {"service", json::object{{"disabled", host.disabled()}, {"host", host.name()}}},
          {"up", !host.down()}};
}

}  // namespace

void load_filter_fleet(fleet::Fleet& fleet, const FilterFleetSettings& settings) {
  std::vector<fleet::Aggregate> aggregates;
  for (std::size_t index = 0; index < aggregate_count; ++index) aggregates.push_back(aggregate(index));
  for (std::size_t number = 0; number < settings.hosts; ++number) {
    const Host host(number);
    fleet::Service service;
    service.topic = "compute";
    service.host = host.name();
    service.binary = "nova-compute";
    service.disabled = host.disabled();
    service.forced_down = host.down();
    service.last_seen_up = settings.now;
    fleet.put_service(service);
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = node.node = host.name();
    node.stats = report_of(host, settings.has_numa);
    node.sampled_at = node.updated_at = settings.now;
    fleet::ComputeNode merged;
    fleet::ClaimChanges changes;
    fleet.put_compute_node(node, merged, changes);
    changes.commit();
    for (const auto index : aggregates_of(host)) aggregates[index].hosts.push_back(host.name());
  }
  for (const auto& each : aggregates) fleet.put_aggregate(each);
}

void report_again(fleet::Fleet& fleet, std::size_t number, std::size_t turn) {
  const Host host(number);
  const auto more = static_cast<std::int64_t>(turn % 2);
  fleet::ComputeNode node;
  node.topic = "compute";
  node.host = node.node = host.name();
  node.stats = {{"vcpus_used", host.vcpus_used() + 4 * more},
                {"memory_mb_used", host.memory_mb_used() + 4096 * more},
                {"free_ram_mb", host.memory_mb() - host.memory_mb_used() - 4096 * more}};
  node.sampled_at = node.updated_at = fleet_time + static_cast<fleet::Nanoseconds>(turn);
  fleet::ComputeNode merged;
  fleet::ClaimChanges changes;
  fleet.put_compute_node(node, merged, changes);
  changes.commit();
}

std::vector<std::string> place_group(fleet::Fleet& fleet, std::size_t hosts, std::size_t members) {
  std::vector<std::string> uuids;
  for (std::size_t member = 0; member < members; ++member) {
    const Host host(member * hosts / members);
    fleet::Instance instance;
    instance.uuid = "99999999-0000-4000-8000-" + padded(member, 12);
    instance.host = instance.node = host.name();
    instance.vm_state = "active";
    instance.created_at = instance.updated_at = instance.active_at = fleet_time;
    fleet.put_instance(instance);
    uuids.push_back(instance.uuid);
  }
  return uuids;
}

std::string nova_hosts(std::size_t hosts) {
  std::string lines;
  for (std::size_t number = 0; number < hosts; ++number) lines += json::write(nova_host(Host(number))) + "\n";
  return lines;
}

}  // namespace gantry::bench
