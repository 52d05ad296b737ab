// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/hosts_check.hpp"

#include <map>
#include <vector>

#include "core/nova/facts/start_check.hpp"

namespace gantry::nova {

namespace {

constexpr std::size_t most_names = 5;

// "h1, h2 and 12 others"
std::string names_of(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (++count > most_names) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  return names.size() > most_names ? text + " and " + count_of(names.size() - most_names, "other") : text;
}

void warn_of(const std::set<std::string>& names, const std::string& what, const Report& report) {
  if (!names.empty()) report.warn("hosts", count_of(names.size(), "host") + what + ": " + names_of(names));
}

// The hosts that lack something.
struct Lacks {
  std::set<std::string> service, node, mapping, provider, right_cell;
};

void look_at(const CellFound& cell, const HostsFound& found, const std::map<std::string, std::int64_t>& mapped,
             Lacks& lacks) {
  const std::set<std::string> services(cell.service_hosts.begin(), cell.service_hosts.end());
  std::set<std::string> with_node;
  for (const auto& node : cell.nodes) {
    with_node.insert(node.host);
    if (!services.contains(node.host)) lacks.service.insert(node.host);
    const auto mapping = mapped.find(node.host);
    if (mapping == mapped.end())
      lacks.mapping.insert(node.host);
    else if (mapping->second != cell.id)
      lacks.right_cell.insert(node.host);
    if (found.providers != nullptr && !found.providers->contains(node.uuid)) lacks.provider.insert(node.host);
  }
  for (const auto& host : services)
    if (!with_node.contains(host)) lacks.node.insert(host);
}

void say_counts(const HostsFound& found, const Report& report) {
  std::size_t services = 0, nodes = 0, instances = 0;
  for (const auto& cell : found.cells) {
    services += cell.service_hosts.size();
    nodes += cell.nodes.size();
    instances += cell.instances;
  }
  auto text = count_of(services, "nova-compute service") + ", " + count_of(nodes, "compute node") + ", " +
              count_of(found.api.host_mappings.size(), "host mapping") + ", " + count_of(instances, "instance");
  if (found.providers != nullptr) text += ", " + count_of(found.providers->size(), "resource provider");
  if (!found.has_all_cells) text += "; a cell that could not be read is not counted";
  report.ok("hosts", text);
}

}  // namespace

void check_hosts(const HostsFound& found, const Report& report) {
  std::map<std::string, std::int64_t> mapped;
  for (const auto& mapping : found.api.host_mappings) mapped.emplace(mapping.host, mapping.cell_id);
  Lacks lacks;
  for (const auto& cell : found.cells) look_at(cell, found, mapped, lacks);
  warn_of(lacks.service, " with a compute node and without a nova-compute service, which Nova passes over", report);
  warn_of(lacks.node, " with a nova-compute service and without a compute node", report);
  warn_of(lacks.mapping, " without a host mapping, which nova-manage cell_v2 discover_hosts adds", report);
  warn_of(lacks.right_cell, " with a host mapping to another cell than its own", report);
  warn_of(lacks.provider, " without a resource provider in placement, which gets no instances", report);
  if (found.has_all_cells) {
    std::set<std::string> known;
    for (const auto& cell : found.cells) {
      known.insert(cell.service_hosts.begin(), cell.service_hosts.end());
      for (const auto& node : cell.nodes) known.insert(node.host);
    }
    std::set<std::string> unknown;
    for (const auto& mapping : found.api.host_mappings)
      if (!known.contains(mapping.host)) unknown.insert(mapping.host);
    warn_of(unknown, " with a host mapping alone, which no cell knows", report);
  }
  say_counts(found, report);
}

void check_versions(std::span<const CellFound> cells, const config::NovaSettings& settings, const Report& report) {
  std::vector<std::int64_t> lowest;
  for (const auto& cell : cells) lowest.push_back(cell.lowest_version);
  const auto& release = nova_release(settings.release);
  const auto checked = check_compute_versions(lowest, release);
  if (checked)
    return report.ok("compute versions", "no nova-compute is older than " + std::string(release.oldest_compute) +
                                             ", the oldest that " + std::string(release.title) + " works with");
  if (settings.disable_compute_service_check_for_ffu)
    return report.warn(
        "compute versions",
        checked.error().message + "; [workarounds] disable_compute_service_check_for_ffu allows the start");
  report.fail("compute versions", checked.error());
}

}  // namespace gantry::nova
