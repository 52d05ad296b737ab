// SPDX-License-Identifier: Apache-2.0
//
// Reads the resources of this machine, in the names and units of Nova's compute_nodes: MiB of memory, GB of disk.
#pragma once

#include <cstdint>
#include <string>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

struct HostFacts {
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t memory_mb_used = 0;
  std::int64_t local_gb = 0;
  std::int64_t local_gb_used = 0;
  std::int64_t disk_available_least = 0;
  std::string hypervisor_type;
  std::string host_ip;
  json::object cpu_info;
  json::array supported_instances;
};

// `disk_path` lies on the file system of the instances' disks.
Result<HostFacts> read_host_facts(const std::string& disk_path);

// The sum of what the instances of a host were allocated, whether they use the resources or not.
struct InstanceUse {
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t disk_gb = 0;
  std::int64_t count = 0;
};

// The resources that the machine used without instances.
struct IdleUse {
  std::int64_t memory_mb = 0;
  std::int64_t disk_gb = 0;
};

// Returns the report. Its use is the larger of the measured use and the sum of the idle machine's use and the
// instances' entitlements.
json::object to_stats(const HostFacts& facts, const IdleUse& idle, const InstanceUse& instances,
                      const std::string& hostname);

// Parse the kernel's texts. Public so that tests can pass texts of other machines.
Result<HostFacts> parse_memory(std::string_view meminfo);  // sets the memory members
json::object parse_cpu_info(std::string_view cpuinfo, const std::string& architecture);

}  // namespace gantry::cli::agent
