// SPDX-License-Identifier: Apache-2.0
#include "fleet_model.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::fleet::testing {

namespace {

bool lists(const ComputeNode& node, const std::string& uuid) {
  const auto* listed = json::find_array(node.stats, "instances");
  return listed != nullptr && std::find(listed->begin(), listed->end(), json::value(uuid)) != listed->end();
}

}  // namespace

void FleetModel::report(const ComputeNode& report) {
  auto& node = nodes[{report.host, report.node}];
  for (const auto& [key, value] : report.stats) {
    if (value.is_null()) {
      node.stats.erase(key);
    } else {
      node.stats.insert_or_assign(key, value);
    }
  }
  node.updated_at = report.updated_at;
  const auto* listed = json::find_array(report.stats, "instances");
  std::erase_if(claims, [&](const Claim& claim) {
    if (resolve(claim.host, claim.node) != Place{report.host, report.node}) return false;
    const auto instance = instances.find(claim.consumer);
    const bool active = instance != instances.end() && instance->second.active_at != 0 &&
                        report.sampled_at > instance->second.active_at && instance->second.host == report.host;
    const auto named = [&](const json::value& id) { return id == json::value(claim.consumer); };
    return active || (listed != nullptr && std::any_of(listed->begin(), listed->end(), named));
  });
}

std::set<Place> FleetModel::places() const {
  std::set<Place> places;
  std::set<std::string> hosts_with_nodes;
  for (const auto& [place, node] : nodes) {
    places.insert(place);
    hosts_with_nodes.insert(place.first);
  }
  for (const auto& [host, service] : services) {
    if (!hosts_with_nodes.contains(host)) places.insert({host, ""});
  }
  for (const auto& [host, said] : capabilities) {
    if (!hosts_with_nodes.contains(host)) places.insert({host, ""});
  }
  return places;
}

std::optional<Place> FleetModel::resolve(const std::string& host, const std::string& node) const {
  if (nodes.contains({host, node})) return Place{host, node};
  const auto first = nodes.lower_bound({host, ""});
  if (first != nodes.end() && first->first.first == host) {
    if (node.empty()) return first->first;
    return std::nullopt;
  }
  if (services.contains(host) || capabilities.contains(host)) return Place{host, ""};
  return std::nullopt;
}

std::optional<Place> FleetModel::locate(const std::string& uuid) const {
  const auto found = instances.find(uuid);
  if (found != instances.end() && !found->second.host.empty() && found->second.vm_state != "deleted") {
    if (const auto place = resolve(found->second.host, found->second.node)) return place;
  }
  for (const auto& [place, node] : nodes) {
    if (lists(node, uuid)) return place;
  }
  for (const bool of_a_pick : {true, false}) {
    for (auto claim = claims.rbegin(); claim != claims.rend(); ++claim) {
      if (claim->consumer != uuid || claim->id.empty() != of_a_pick) continue;
      if (const auto place = resolve(claim->host, claim->node)) return place;
    }
  }
  return std::nullopt;
}

// One claim of a pick gives way to another; claims with an id stand beside all others.
bool FleetModel::is_replaced(const Claim& claim, const Claim& by) {
  return claim.consumer == by.consumer && claim.id.empty() && by.id.empty();
}

double FleetModel::claimed(const Place& place, const std::string& resource, const Claim* replacing) const {
  double sum = 0;
  for (const auto& claim : claims) {
    if (resolve(claim.host, claim.node) != place || (replacing != nullptr && is_replaced(claim, *replacing))) continue;
    for (const auto& item : claim.items) {
      if (item.resource == resource) sum += item.amount;
    }
  }
  return sum;
}

bool FleetModel::admits(const Place& place, const Claim& claim) const {
  static const std::map<std::string, std::string> use{
      {"vcpu", "vcpus_used"}, {"memory_mb", "memory_mb_used"}, {"disk_gb", "local_gb_used"}};
  for (const auto& item : claim.items) {
    double reported = 0;
    const auto node = nodes.find(place);
    if (node != nodes.end() && use.contains(item.resource)) {
      reported = json::find_number(node->second.stats, use.at(item.resource)).value_or(0);
    }
    if (reported + claimed(place, item.resource, &claim) + item.amount > item.limit) return false;
  }
  return true;
}

void FleetModel::add_claim(Claim claim) {
  const Place place{claim.host, claim.node};
  std::erase_if(claims, [&](const Claim& other) {
    if (!is_replaced(other, claim) || resolve(other.host, other.node) != place) return false;
    claim.cast_waits = claim.cast_waits || other.cast_waits;
    return true;
  });
  claims.push_back(claim);
  for (const auto& item : claim.items) claimed_resources.insert(item.resource);
}

void FleetModel::expire(Nanoseconds now) {
  std::erase_if(claims, [&](const Claim& claim) {
    return !claim.cast_waits && now - claim.created_at > settings_.claim_max_age;
  });
}

std::map<Place, json::object> FleetModel::rows(Nanoseconds now) const {
  std::map<Place, json::object> rows;
  for (const auto& place : places()) rows.emplace(place, row(place, now));
  return rows;
}

void FleetModel::show_service(const std::string& host, Nanoseconds now, json::object& row) const {
  const auto found = services.find(host);
  const Service none;
  const auto& service = found == services.end() ? none : found->second;
  row["up"] =
      service.last_seen_up != 0 && !service.forced_down && now - service.last_seen_up <= settings_.service_down_time;
  row["disabled"] = service.disabled;
  row["forced_down"] = service.forced_down;
  if (!service.disabled_reason.empty()) row["disabled_reason"] = service.disabled_reason;
  if (service.last_seen_up != 0) row["last_seen_up"] = service.last_seen_up;
}

void FleetModel::show_record(const ComputeNode& node, const Place& place, json::object& row) const {
  for (const auto* key : {"vcpus", "memory_mb", "local_gb", "hypervisor_type", "host_ip", "cpu_info", "stats"}) {
    if (const auto* value = json::find(node.stats, key)) row[key] = *value;
  }
  const auto show = [&](const char* key, double sign, const char* resource) {
    const auto reported = json::find_number(node.stats, key);
    if (reported) row[key] = *reported + sign * claimed(place, resource);
  };
  show("vcpus_used", 1, "vcpu");
  show("memory_mb_used", 1, "memory_mb");
  show("local_gb_used", 1, "disk_gb");
  show("free_ram_mb", -1, "memory_mb");
  show("free_disk_gb", -1, "disk_gb");
  row["updated_at"] = node.updated_at;
  const auto* nested = json::find_object(node.stats, "stats");
  if (nested != nullptr) {
    if (const auto load = json::find_integer(*nested, "load")) row["stats.load"] = *load;
  }
  if (const auto rack = json::find_string(node.stats, "rack")) row["stats.rack"] = *rack;
}

void FleetModel::show_aggregates(const std::string& host, json::object& row) const {
  json::array names;
  std::string zone;
  for (const auto& [id, aggregate] : aggregates) {
    if (std::find(aggregate.hosts.begin(), aggregate.hosts.end(), host) == aggregate.hosts.end()) continue;
    names.emplace_back(aggregate.name);
    const auto found = aggregate.metadata.find("availability_zone");
    if (zone.empty() && found != aggregate.metadata.end()) zone = found->second;
  }
  row["aggregates"] = names;
  row["availability_zone"] = zone.empty() ? settings_.default_availability_zone : zone;
}

json::object FleetModel::row(const Place& place, Nanoseconds now) const {
  json::object row;
  row["host"] = place.first;
  if (!place.second.empty()) row["hypervisor_hostname"] = place.second;
  show_service(place.first, now, row);
  if (const auto found = capabilities.find(place.first); found != capabilities.end()) {
    row["capabilities"] = found->second;
  }
  row["cpu_allocation_ratio"] = settings_.cpu_allocation_ratio;
  row["ram_allocation_ratio"] = settings_.ram_allocation_ratio;
  row["disk_allocation_ratio"] = settings_.disk_allocation_ratio;
  if (const auto node = nodes.find(place); node != nodes.end()) show_record(node->second, place, row);
  show_aggregates(place.first, row);
  std::set<std::string> standing;
  for (const auto& [uuid, instance] : instances) {
    if (instance.host.empty() || instance.vm_state == "deleted") continue;
    if (resolve(instance.host, instance.node) == place) standing.insert(uuid);
  }
  for (const auto& claim : claims) {
    if (claim.consumer.size() == 36 && resolve(claim.host, claim.node) == place) standing.insert(claim.consumer);
  }
  if (const auto node = nodes.find(place); node != nodes.end()) {
    const auto* listed = json::find_array(node->second.stats, "instances");
    for (const auto& id : listed != nullptr ? *listed : json::array()) standing.insert(std::string(id.as_string()));
  }
  json::array uuids;
  for (const auto& uuid : standing) uuids.emplace_back(uuid);
  row["instances"] = uuids;
  for (const auto& resource : claimed_resources) row["claims." + resource] = claimed(place, resource);
  return row;
}

}  // namespace gantry::fleet::testing
