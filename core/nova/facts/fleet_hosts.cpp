// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fleet_hosts.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

constexpr const char* topic = "compute";

std::string text_member(const fleet::ComputeNode& node, std::string_view key) {
  return std::string(json::find_string(node.stats, key).value_or(""));
}

}  // namespace

void FleetHosts::add_cell(const Cell& cell) {
  auto& known = cells_[{!cell.is_disabled, cell.id}];
  known.uuid = cell.uuid;
  known.name = cell.name;
}

FleetHosts::Cells::iterator FleetHosts::find_cell(std::int64_t id) {
  const auto enabled = cells_.find({true, id});
  return enabled != cells_.end() ? enabled : cells_.find({false, id});
}

void FleetHosts::remove_cell(std::int64_t id) {
  const auto found = find_cell(id);
  if (found == cells_.end()) return;
  std::set<std::string> hosts;
  for (const auto& [host, service] : found->second.services) hosts.insert(host);
  std::set<Name> names;
  for (const auto& [name, node] : found->second.nodes) names.insert(name);
  for (const auto& name : names) {
    hosts.insert(name.first);
    remove_node(found->second, name);
  }
  cells_.erase(found);
  settle_version();
  for (const auto& host : hosts) settle_service(host);
}

void FleetHosts::apply(std::int64_t id, const CellFacts& facts, std::set<std::string>& changed) {
  const auto found = find_cell(id);
  if (found == cells_.end()) return;
  auto& cell = found->second;
  std::set<std::string> served;
  for (const auto& host : facts.services_gone) {
    cell.services.erase(host);
    cell.versions.erase(host);
    served.insert(host);
  }
  for (const auto& fact : facts.services) {
    cell.services.insert_or_assign(fact.service.host, fact.service);
    cell.versions.insert_or_assign(fact.service.host, fact.version);
    served.insert(fact.service.host);
  }
  if (!served.empty()) settle_version();
  for (const auto& host : served) settle_service(host);
  for (const auto& heartbeat : facts.heartbeats) beat(cell, heartbeat);
  for (const auto& gone : facts.compute_nodes_gone) {
    remove_node(cell, {gone.host, gone.node});
    changed.insert(gone.host);
  }
  for (const auto& fact : facts.compute_nodes) {
    put_node(cell, fact.node);
    changed.insert(fact.node.host);
  }
}

void FleetHosts::settle_version() {
  lowest_version_ = 0;
  for (const auto& [rank, cell] : cells_) {
    std::optional<std::int64_t> lowest;
    for (const auto& [host, version] : cell.versions) {
      if (!cell.services.at(host).forced_down) lowest = std::min(lowest.value_or(version), version);
    }
    // One that says nothing of its version takes its whole cell out, as in Nova.
    if (lowest.value_or(0) == 0) continue;
    lowest_version_ = lowest_version_ == 0 ? *lowest : std::min(lowest_version_, *lowest);
  }
}

void FleetHosts::beat(OfCell& cell, const Heartbeat& heartbeat) {
  const auto known = cell.services.find(heartbeat.host);
  if (known == cell.services.end()) return;
  known->second.last_seen_up = heartbeat.last_seen_up;
  known->second.report_count = heartbeat.report_count;
  if (service_of(heartbeat.host) == &known->second) fleet_.put_service(known->second);
}

void FleetHosts::put_node(OfCell& cell, const fleet::ComputeNode& node) {
  const Name name{node.host, node.node};
  const auto [at, is_new] = cell.nodes.try_emplace(name);
  auto& known = at->second;
  const auto uuid = text_member(node, "uuid");
  if (is_new || known.uuid != uuid) is_renamed_ = true;
  known.uuid = uuid;
  known.held_back = node;
  known.held_back->stats.insert_or_assign("cell_uuid", cell.uuid);
  settle_node(name);
  settle_host(name.first);
}

void FleetHosts::remove_node(OfCell& cell, const Name& name) {
  if (cell.nodes.erase(name) == 0) return;
  is_renamed_ = true;
  settle_node(name);
  settle_host(name.first);
}

const fleet::Service* FleetHosts::service_of(const std::string& host) const {
  for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) {
    const auto found = cell->second.services.find(host);
    if (found != cell->second.services.end()) return &found->second;
  }
  return nullptr;
}

bool FleetHosts::has_node(const OfCell& cell, const std::string& host) {
  const auto first = cell.nodes.lower_bound({host, {}});
  return first != cell.nodes.end() && first->first.first == host;
}

std::vector<std::string> FleetHosts::nodes_of(const std::string& host) const {
  std::vector<std::string> nodes;
  for (const auto& [rank, cell] : cells_) {
    for (auto at = cell.nodes.lower_bound({host, {}}); at != cell.nodes.end() && at->first.first == host; ++at)
      nodes.push_back(at->first.second);
  }
  return nodes;
}

void FleetHosts::settle_service(const std::string& host) {
  if (const auto* service = service_of(host))
    fleet_.put_service(*service);
  else
    fleet_.remove_service(topic, host);
  for (const auto& node : nodes_of(host)) settle_node({host, node});
  settle_host(host);
}

// Says once what an operator must know of a host. Rows that a disabled cell still has do no harm.
void FleetHosts::settle_host(const std::string& host) {
  bool has_nodes = false;
  std::vector<std::string> cells;
  for (const auto& [rank, cell] : cells_) {
    if (!rank.first) continue;
    const bool has_some = has_node(cell, host);
    has_nodes = has_nodes || has_some;
    if (has_some || cell.services.contains(host)) cells.push_back(cell.name);
  }
  if (!has_nodes || service_of(host) != nullptr)
    without_service_.erase(host);
  else if (without_service_.insert(host).second)
    log_.write(telemetry::Level::warning, "a host has no service of a nova-compute, and is passed over",
               {{"host", host}});
  if (cells.size() < 2)
    in_two_cells_.erase(host);
  else if (in_two_cells_.insert(host).second)
    log_.write(telemetry::Level::warning, "a host is in two cells; the later cell's rows are used",
               {{"host", host}, {"earlier", cells.front()}, {"later", cells.back()}});
}

// Takes the node out of the fleet. Its record is held back, unless there is a newer one.
void FleetHosts::hide(const Name& name) {
  const auto shown = shown_.find(name);
  auto record = fleet_.remove_compute_node(topic, name.first, name.second);
  auto& nodes = cells_[shown->second].nodes;
  const auto node = nodes.find(name);
  if (record && node != nodes.end() && !node->second.held_back) node->second.held_back = std::move(record);
  shown_.erase(shown);
}

void FleetHosts::settle_node(const Name& name) {
  auto winner = cells_.end();
  for (auto cell = cells_.begin(); cell != cells_.end(); ++cell) {
    if (cell->second.nodes.contains(name)) winner = cell;
  }
  const bool is_wanted = winner != cells_.end() && service_of(name.first) != nullptr;
  const auto shown = shown_.find(name);
  if (shown != shown_.end() && (!is_wanted || shown->second != winner->first)) hide(name);
  if (!is_wanted) return;
  auto& record = winner->second.nodes.at(name).held_back;
  if (!record) return;
  fleet_.restore_compute_node(*record);
  record.reset();
  shown_.insert_or_assign(name, winner->first);
}

std::vector<KnownNode> FleetHosts::nodes() const {
  std::vector<KnownNode> nodes;
  for (const auto& [rank, cell] : cells_) {
    for (const auto& [name, node] : cell.nodes)
      nodes.push_back({name.first, name.second, node.uuid, cell.uuid, !rank.first});
  }
  return nodes;
}

std::optional<std::int64_t> FleetHosts::cell_of(const std::string& host) const {
  for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) {
    if (cell->second.services.contains(host) || has_node(cell->second, host)) return cell->first.second;
  }
  return std::nullopt;
}

std::size_t FleetHosts::services_of(const Cell& cell) const {
  const auto found = cells_.find({!cell.is_disabled, cell.id});
  return found == cells_.end() ? 0 : found->second.services.size();
}

}  // namespace gantry::nova
