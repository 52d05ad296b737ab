// SPDX-License-Identifier: Apache-2.0
//
// Lua: a site's policy as a text file. gantry-lua(7) is its manual.
//
// Each call that runs at the same time has a Lua state of its own, made from the text that create has read. A state in
// which a script has failed is thrown away.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <gantry/driver.hpp>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "placement.hpp"
#include "policy.hpp"

namespace {

using lua_driver::policy;

constexpr std::size_t most_bytes = 1 << 20;  // the size of a script

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  if (!file || !content)
    throw gantry::failure(
        gantry::code::invalid_argument,
        "policy '" + path + "': expected a file that can be read, found: " + std::strerror(errno != 0 ? errno : EIO));
  if (content.str().size() > most_bytes)
    throw gantry::failure(gantry::code::invalid_argument, "policy '" + path + "': expected at most 1 MiB, found " +
                                                              std::to_string(content.str().size()) + " bytes");
  return content.str();
}

class lua final : public gantry::driver {
 public:
  static std::unique_ptr<lua> create(gantry::call& call, const gantry::options& options) {
    auto made = std::make_unique<lua>();
    const std::string path(options.string("policy"));
    if (path.empty() || path.front() != '/')
      throw gantry::failure(gantry::code::invalid_argument,
                            "policy: expected the absolute path of a Lua file, found " + gantry::quoted(path));
    made->name_ = path.substr(path.rfind('/') + 1);
    made->source_ = read_file(path);
    made->memory_mb_ = options.integer("memory_mb");
    made->checks_room_ = options.boolean("check_room");
    try {
      made->give_back(made->take(call));
    } catch (const gantry::failure& failure) {
      throw gantry::failure(failure.code(), "policy '" + path + "': " + failure.what());
    }
    return made;
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    return decide(call, request, gantry::place_all<lua_driver::placement>);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    return decide(call, request, gantry::place_each<lua_driver::placement>);
  }

 private:
  using operation = gantry::code (*)(gantry::call&, const gantry::request&, lua_driver::placement&);

  gantry::code decide(gantry::call& call, const gantry::request& request, operation place) {
    std::unique_ptr<policy> taken = take(call);
    gantry::code code = gantry::code::ok;
    {
      lua_driver::placement placement(*taken, call, request, checks_room_);
      code = place(call, request, placement);
    }
    give_back(std::move(taken));  // not after an exception
    return code;
  }

  std::unique_ptr<policy> take(gantry::call& call) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<policy> taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
      }
    }
    return std::make_unique<policy>(call, name_, source_, memory_mb_);
  }

  void give_back(std::unique_ptr<policy> used) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(used));
  }

  std::string name_;
  std::string source_;
  std::int64_t memory_mb_ = 0;
  bool checks_room_ = true;
  std::mutex mutex_;
  std::vector<std::unique_ptr<policy>> idle_;  // as many as calls have run at the same time
};

}  // namespace

GANTRY_DRIVER(lua, R"(
id = 'lua'
version = '1.0.0'
description = 'the policy of a Lua file'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['compute']
threads = 'reentrant'
isolation = 'process'
[columns]
needs = ['host', 'up', 'disabled', 'vcpus', 'vcpus_used', 'cpu_allocation_ratio', 'memory_mb', 'memory_mb_used',
         'ram_allocation_ratio', 'local_gb', 'local_gb_used', 'disk_allocation_ratio']
uses = ['hypervisor_hostname', 'uuid', 'forced_down', 'disabled_reason', 'availability_zone', 'last_seen_up',
        'updated_at', 'free_ram_mb', 'free_disk_gb', 'disk_available_least', 'running_vms', 'current_workload',
        'hypervisor_type', 'hypervisor_version', 'host_ip', 'cpu_info', 'supported_instances', 'pci_stats',
        'numa_topology', 'metrics', 'stats', 'capabilities', 'aggregates', 'instances', 'claims.vcpu',
        'claims.memory_mb', 'claims.disk_gb', 'claims.instances']
[options.policy]
type = 'string'
kind = 'file'
required = true
help = 'the Lua file with the filters and weighers, an absolute path'
[options.memory_mb]
type = 'integer'
default = 64
minimum = 1
maximum = 4096
help = 'MiB that the script may use, for each decision that runs at the same time'
[options.check_room]
type = 'boolean'
default = true
help = 'hosts without room for the instance are left out, and capacity times allocation ratio are the limits; false: the file alone decides'
)");
