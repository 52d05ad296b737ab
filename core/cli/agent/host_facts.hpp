// SPDX-License-Identifier: Apache-2.0
//
// Reads the resources of this machine. Names and units are the ones of Nova's table compute_nodes: MiB of memory, and
// GB of disk, where a GB is 2^30 bytes.
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
  std::int64_t disk_available_least = 0;  // free disk without the blocks that are reserved for root
  std::string hypervisor_type;
  std::string host_ip;
  json::object cpu_info;
  json::array supported_instances;
};

// Reads the facts of this machine. `disk_path` is any path on the file system that holds the instances' disks.
Result<HostFacts> read_host_facts(const std::string& disk_path);

// The sum of the resources that the instances of a host were given. An instance counts in full even if it uses less.
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

// Returns the statistics of a report. Used memory is the larger of two amounts: the measured use, and `idle` plus
// `instances`. Used disk likewise. Used vCPUs are the ones of `instances`. `hostname` becomes hypervisor_hostname.
json::object to_stats(const HostFacts& facts, const IdleUse& idle, const InstanceUse& instances,
                      const std::string& hostname);

// Returns the memory use to report in place of the measured `used`, where the report before said `before`. The use of
// an idle host wanders by some MiB. As long as it stays within a hundredth of `total` below the reported use, reports
// say nothing new, and the daemon has nothing to store. The result is never below `used`.
std::int64_t steady_use(std::int64_t used, std::int64_t before, std::int64_t total);

// Parse the texts of /proc/meminfo and /proc/cpuinfo. Public for tests, which pass the texts of other machines.
Result<HostFacts> parse_memory(std::string_view meminfo);  // sets only the members about memory
json::object parse_cpu_info(std::string_view cpuinfo, const std::string& architecture);

}  // namespace gantry::cli::agent
