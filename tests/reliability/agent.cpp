// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/agent.hpp"

namespace gantry::reliability {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds report_interval{2};
constexpr int patience_ms = 20'000;
constexpr int poll_ms = 50;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Agent::Agent(const std::vector<std::string>& hosts, HostSize size, const std::string& url, CallCounts& counts,
             Ledger& ledger, std::uint64_t seed)
    : size_(size), connection_(url, counts), ledger_(ledger), random_(seed) {
  for (const auto& host : hosts) hosts_[host] = {};
}

void Agent::run() {
  while (!stopped_) {
    receive();
    bool all_said = true;
    for (auto& [name, host] : hosts_) {
      const bool is_due = host.is_stale || Clock::now() - host.reported > report_interval;
      if (!activate(host) || (is_due && !report(name, host))) all_said = false;
    }
    settled_ = all_said;
  }
}

void Agent::receive() {
  json::array names;
  for (const auto& [name, host] : hosts_) names.emplace_back(name);
  const auto answer = connection_.ask(
      "receive_casts", {{"topic", "compute"}, {"hosts", names}, {"wait_ms", poll_ms}, {"limit", 32}}, patience_ms);
  if (!answer.ok) {
    if (!answer.silent) ledger_.complain("receive_casts was refused: " + answer.message);
    return;
  }
  for (const auto& cast : answer.result.as_array()) {
    settled_ = false;
    take(cast.as_object());
    if (!is_careful_ && random_() % 8 == 0) continue;
    const auto acknowledged =
        connection_.ask("acknowledge_cast", {{"id", text_of(cast.as_object(), "id")}}, patience_ms);
    if (!acknowledged.ok && !acknowledged.silent)
      ledger_.complain("acknowledge_cast was refused: " + acknowledged.message);
  }
}

void Agent::take(const json::object& cast) {
  const auto name = text_of(cast, "host");
  const auto method = text_of(cast, "method");
  const auto& args = cast.at("args").as_object();
  const auto uuid = text_of(args, "instance_uuid");
  if (!hosts_.contains(name)) return ledger_.complain("a cast for " + name + " reached an agent of other hosts");
  if (!ledger_.received(name, text_of(cast, "id"), method, uuid)) return;
  const std::lock_guard lock(mutex_);
  auto& host = hosts_[name];
  host.is_stale = true;
  if (method == "run_instance") return begin(name, uuid, args);
  if (method == "terminate_instance") {
    host.instances.erase(uuid);
    return;
  }
  ledger_.complain("a cast of method " + method);
}

void Agent::begin(const std::string& name, const std::string& uuid, const json::object& cast_args) {
  const auto& flavor = cast_args.at("instance").at("flavor").as_object();
  Use use;
  use.vcpus = json::find_integer(flavor, "vcpus").value_or(0);
  use.memory_mb = json::find_integer(flavor, "memory_mb").value_or(0);
  use.disk_gb = json::find_integer(flavor, "root_gb").value_or(0);
  hosts_[name].instances.emplace(uuid, use);
  check_room(name, hosts_[name]);
}

// What a client has asked to delete holds no room any more, though its end may still be on the way here.
void Agent::check_room(const std::string& name, const Host& host) const {
  Use sum;
  for (const auto& [uuid, use] : host.instances) {
    if (ledger_.is_deletion_asked(uuid)) continue;
    sum.vcpus += use.vcpus;
    sum.memory_mb += use.memory_mb;
    sum.disk_gb += use.disk_gb;
  }
  if (sum.vcpus <= size_.vcpus && sum.memory_mb <= size_.memory_mb && sum.disk_gb <= size_.local_gb) return;
  ledger_.complain("host " + name + " was made to run " + std::to_string(sum.vcpus) + " vcpus, " +
                   std::to_string(sum.memory_mb) + " MiB and " + std::to_string(sum.disk_gb) + " GiB");
}

bool Agent::activate(Host& host) {
  for (auto& [uuid, use] : host.instances) {
    if (use.is_active) continue;
    const auto answer = connection_.ask("update_instance", {{"uuid", uuid}, {"vm_state", "active"}}, patience_ms);
    if (answer.silent) return false;
    // One that has been deleted meanwhile is ended by its cast.
    if (!answer.ok && answer.code != "not_found") ledger_.complain("update_instance was refused: " + answer.message);
    const std::lock_guard lock(mutex_);
    use.is_active = true;
    host.is_stale = true;
  }
  return true;
}

bool Agent::report(const std::string& name, Host& host) {
  Use sum;
  json::array listed;
  for (const auto& [uuid, use] : host.instances) {
    sum.vcpus += use.vcpus;
    sum.memory_mb += use.memory_mb;
    sum.disk_gb += use.disk_gb;
    listed.emplace_back(uuid);
  }
  const json::object stats{
      {"vcpus", size_.vcpus},           {"memory_mb", size_.memory_mb},    {"local_gb", size_.local_gb},
      {"cpu_allocation_ratio", 1},      {"ram_allocation_ratio", 1},       {"disk_allocation_ratio", 1},
      {"vcpus_used", sum.vcpus},        {"memory_mb_used", sum.memory_mb}, {"local_gb_used", sum.disk_gb},
      {"instances", std::move(listed)}, {"sequence", ++host.sequence}};
  const auto answer = connection_.ask("update_resource_stats",
                                      {{"name", name}, {"stats", stats}, {"sampled_at", seconds_now()}}, patience_ms);
  if (!answer.ok) {
    if (!answer.silent) ledger_.complain("update_resource_stats was refused: " + answer.message);
    return false;
  }
  ledger_.report_answered(name, host.sequence);
  const auto method = host.is_registered ? "report_state" : "service_register";
  const auto beaten = connection_.ask(method, {{"topic", "compute"}, {"host", name}}, patience_ms);
  if (!beaten.ok) {
    if (!beaten.silent) ledger_.complain(std::string(method) + " was refused: " + beaten.message);
    return false;
  }
  host.is_registered = true;
  host.is_stale = false;
  host.reported = Clock::now();
  return true;
}

std::map<std::string, std::set<std::string>> Agent::running() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::set<std::string>> result;
  for (const auto& [name, host] : hosts_) {
    auto& uuids = result[name];
    for (const auto& [uuid, use] : host.instances) uuids.insert(uuid);
  }
  return result;
}

}  // namespace gantry::reliability
