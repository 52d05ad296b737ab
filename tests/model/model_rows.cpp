// SPDX-License-Identifier: Apache-2.0
//
// What follows from the facts: which rows there are, what stands on them, what room they have.
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

std::string AggregateFact::zone() const {
  const auto found = metadata.find("availability_zone");
  return found == metadata.end() ? std::string() : found->second;
}

std::vector<Model::Row> Model::rows(const std::string& topic) const {
  std::vector<Row> all;
  std::set<std::string> with_nodes;
  if (const auto reported = nodes.find(topic); reported != nodes.end()) {
    for (const auto& [name, stats] : reported->second) {
      all.push_back({name, &stats});
      with_nodes.insert(name.host);
    }
  }
  std::set<std::string> hosts;
  for (const auto& [name, service] : services) {
    if (name.first == topic) hosts.insert(name.second);
  }
  for (const auto& [name, what] : capabilities) {
    if (name.first == topic) hosts.insert(name.second);
  }
  for (const auto& host : hosts) {
    if (!with_nodes.contains(host)) all.push_back({{host, ""}, nullptr});
  }
  std::sort(all.begin(), all.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  return all;
}

// No node: the first row of the host. A host that has not reported: its one row, whatever the node.
std::optional<HostNode> Model::resolve(const std::string& topic, const HostNode& name) const {
  std::vector<Row> of_host;
  for (const auto& row : rows(topic)) {
    if (row.name.host == name.host) of_host.push_back(row);
  }
  if (of_host.empty()) return std::nullopt;
  if (name.node.empty()) return of_host.front().name;
  for (const auto& row : of_host) {
    if (row.name.node == name.node) return row.name;
  }
  if (of_host.size() == 1 && of_host.front().stats == nullptr) return of_host.front().name;
  return std::nullopt;
}

std::optional<HostNode> Model::row_of(const ClaimName& claim) const {
  return resolve("compute", {std::get<1>(claim), std::get<2>(claim)});
}

Amounts Model::claimed_on(const HostNode& row) const {
  Amounts sum;
  for (const auto& [name, claim] : claims) {
    if (row_of(name) != row) continue;
    sum.vcpu += claim.amounts.vcpu;
    sum.memory_mb += claim.amounts.memory_mb;
    sum.disk_gb += claim.amounts.disk_gb;
  }
  return sum;
}

std::set<std::string> Model::instances_on(const HostNode& row) const {
  std::set<std::string> all;
  for (const auto& [name, claim] : claims) {
    if (row_of(name) == row) all.insert(std::get<0>(name));
  }
  for (const auto& [uuid, instance] : instances) {
    if (!instance.host.empty() && resolve("compute", {instance.host, instance.node}) == row) all.insert(uuid);
  }
  for (const auto& reported : rows("compute")) {
    if (reported.name != row || reported.stats == nullptr) continue;
    if (const auto* listed = json::find_array(*reported.stats, "instances")) {
      for (const auto& uuid : *listed) all.emplace(std::string_view(uuid.as_string()));
    }
  }
  return all;
}

// The zone of the first aggregate, by id, that has one.
std::string Model::zone_of(const std::string& host) const {
  for (const auto& [id, aggregate] : aggregates) {
    const bool member = std::find(aggregate.hosts.begin(), aggregate.hosts.end(), host) != aggregate.hosts.end();
    if (member && !aggregate.zone().empty()) return aggregate.zone();
  }
  return "nova";
}

bool Model::is_usable(const HostNode& row) const {
  const auto service = services.find({"compute", row.host});
  return service != services.end() && service->second.is_up() && !service->second.disabled;
}

bool Model::has_room(const Row& row, const Amounts& amounts, std::size_t placed) const {
  if (!has_limits) return true;
  if (row.stats == nullptr) return false;
  const auto claims_there = claimed_on(row.name);
  const auto fits = [&](const char* capacity, double ratio, const char* used, double claimed_there, double amount) {
    const auto all = json::find_number(*row.stats, capacity);
    const auto in_use = json::find_number(*row.stats, used);
    if (!all || !in_use) return false;
    return *in_use + claimed_there + amount * static_cast<double>(placed + 1) <= *all * ratio;
  };
  return fits("vcpus", json::find_number(*row.stats, "cpu_allocation_ratio").value_or(16), "vcpus_used",
              claims_there.vcpu, amounts.vcpu) &&
         fits("memory_mb", 1.5, "memory_mb_used", claims_there.memory_mb, amounts.memory_mb) &&
         fits("local_gb", 1, "local_gb_used", claims_there.disk_gb, amounts.disk_gb);
}

std::set<std::string> Model::members_of(const std::string& group) const {
  const auto found = groups.find(group);
  std::set<std::string> members;
  if (found != groups.end()) members.insert(found->second.members.begin(), found->second.members.end());
  for (const auto& [name, claim] : claims)
    if (claim.group == group) members.insert(std::get<0>(name));
  return members;
}

bool Model::knows(const std::string& instance) const {
  if (instances.contains(instance) || !claims_of(instance).empty()) return true;
  const auto known = nodes.find("compute");
  return known != nodes.end() && std::any_of(known->second.begin(), known->second.end(), [&](const auto& node) {
           const auto* listed = json::find_array(node.second, "instances");
           return listed != nullptr &&
                  std::find(listed->begin(), listed->end(), json::value(instance)) != listed->end();
         });
}

void Model::leave_groups(const std::string& instance) {
  for (auto& [uuid, group] : groups) std::erase(group.members, instance);
}

bool Model::is_avoided(const std::string& host, const std::string& flavor) const {
  constexpr std::size_t failures_to_avoid = 3;
  const auto failed = failed_builds.find({flavor, host});
  return failed != failed_builds.end() && failed->second >= failures_to_avoid;
}

std::vector<ClaimName> Model::claims_of(const std::string& consumer) const {
  std::vector<ClaimName> names;
  for (const auto& [name, claim] : claims) {
    if (std::get<0>(name) == consumer) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Model::casts_of(const std::string& consumer) const {
  std::vector<std::string> ids;
  for (const auto& [id, cast] : casts) {
    if (cast.consumer == consumer) ids.push_back(id);
  }
  return ids;
}

std::size_t Model::release_all(const std::string& consumer) {
  const auto names = claims_of(consumer);
  for (const auto& name : names) claims.erase(name);
  return names.size();
}

}  // namespace gantry::model
