// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/simulated_host.hpp"

#include <algorithm>

#include "core/cli/agent/host_facts.hpp"

namespace gantry::cli::agent {

namespace {

constexpr std::size_t most_remembered_casts = 1000;

}  // namespace

SimulatedHost::SimulatedHost(SimulatedHostSettings settings) : settings_(std::move(settings)) {}

json::object SimulatedHost::stats() const {
  HostFacts facts;
  facts.vcpus = settings_.vcpus;
  facts.memory_mb = settings_.memory_mb;
  facts.local_gb = settings_.local_gb;
  facts.disk_available_least = settings_.local_gb;
  facts.hypervisor_type = "fake";
  facts.host_ip = "127.0.0.1";
  facts.cpu_info = {{"arch", "x86_64"}, {"vendor", "fake"}, {"model", "fake"}, {"features", json::array()}};
  facts.supported_instances.emplace_back(json::array{"x86_64", "qemu", "hvm"});
  facts.supported_instances.emplace_back(json::array{"x86_64", "kvm", "hvm"});
  const IdleUse idle{json::find_integer(settings_.stats, "memory_mb_used").value_or(0),
                     json::find_integer(settings_.stats, "local_gb_used").value_or(0)};
  InstanceUse use;
  json::array running;
  use.vcpus = json::find_integer(settings_.stats, "vcpus_used").value_or(0);
  for (const auto& [uuid, one] : instances_) {
    use.vcpus += one.instance.vcpus;
    use.memory_mb += one.instance.memory_mb;
    use.disk_gb += one.instance.disk_gb;
    ++use.count;
    running.emplace_back(uuid);
  }
  json::object stats = to_stats(facts, idle, use, settings_.node.empty() ? settings_.name : settings_.node);
  for (const auto& [key, value] : settings_.stats)
    if (key != "memory_mb_used" && key != "local_gb_used" && key != "vcpus_used") stats[key] = value;
  stats["instances"] = std::move(running);
  return stats;
}

void SimulatedHost::take(const json::object& cast, Clock::time_point now) {
  const std::string id(json::find_string(cast, "id").value_or(""));
  const json::object* args = json::find_object(cast, "args");
  if (std::ranges::find(casts_, id) != casts_.end() || args == nullptr) return;
  casts_.push_back(id);
  if (casts_.size() > most_remembered_casts) casts_.pop_front();
  auto instance = instance_from_cast(*args);
  if (!instance) return;
  const auto method = json::find_string(cast, "method").value_or("");
  if (method == "terminate_instance") instances_.erase(instance->uuid);
  if (method != "run_instance") return;
  instance->cast.clear();
  const std::string uuid = instance->uuid;
  instances_.insert_or_assign(uuid, Running{std::move(*instance), now + settings_.boot_time});
}

void SimulatedHost::adopt(const json::object& instance) {
  auto made = instance_from_cast({{"instance", instance}});
  if (!made) return;
  made->cast.clear();
  const std::string uuid = made->uuid;
  instances_.insert_or_assign(uuid, Running{std::move(*made), {}, true});
}

std::vector<SimulatedHost::Outcome> SimulatedHost::due(Clock::time_point now) const {
  std::vector<Outcome> outcomes;
  for (const auto& [uuid, one] : instances_)
    if (!one.settled && one.due <= now) outcomes.push_back({uuid, settings_.fault});
  return outcomes;
}

void SimulatedHost::forget(const std::string& uuid) {
  instances_.erase(uuid);
}

void SimulatedHost::settled(const std::string& uuid) {
  const auto found = instances_.find(uuid);
  if (found == instances_.end()) return;
  if (settings_.fault.empty())
    found->second.settled = true;
  else
    instances_.erase(found);
}

}  // namespace gantry::cli::agent
