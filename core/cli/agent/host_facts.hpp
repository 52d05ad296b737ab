// SPDX-License-Identifier: Apache-2.0
//
// What this machine has and uses, in the names and units of Nova's compute_nodes: MiB of memory, GB of disk.
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

// disk_path: a path on the file system that instances live on.
Result<HostFacts> read_host_facts(const std::string& disk_path);

// What instances are entitled to, whether they use it or not.
struct InstanceUse {
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t disk_gb = 0;
  std::int64_t count = 0;
};

// What the machine itself used when it ran no instance.
struct IdleUse {
  std::int64_t memory_mb = 0;
  std::int64_t disk_gb = 0;
};

// The report: use is what the idle machine uses plus what instances are entitled to, or what is measured if that is
// more.
json::object to_stats(const HostFacts& facts, const IdleUse& idle, const InstanceUse& instances,
                      const std::string& hostname);

// The parts that are read from text, for machines other than this one.
Result<HostFacts> parse_memory(std::string_view meminfo);  // sets the members of memory
json::object parse_cpu_info(std::string_view cpuinfo, const std::string& architecture);

}  // namespace gantry::cli::agent
