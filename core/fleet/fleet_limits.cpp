// SPDX-License-Identifier: Apache-2.0
//
// Refuses what would grow beyond the limits.
#include "core/fleet/fleet_state.hpp"
#include "core/fleet/topics/report_merging.hpp"

namespace gantry::fleet {

namespace {

Error beyond(const std::string& what, std::size_t most, std::size_t found) {
  return {ErrorCode::invalid_argument,
          what + ": expected at most " + std::to_string(most) + ", found " + std::to_string(found),
          {}};
}

Result<void> within(const std::string& what, std::size_t most, std::size_t found) {
  return found <= most ? Result<void>() : beyond(what, most, found);
}

std::string of_row(const ComputeNode& report) {
  return "host '" + report.host + (report.node.empty() ? "'" : "', node '" + report.node + "'");
}

}  // namespace

Result<void> Fleet::State::check_row(std::string_view topic, std::string_view host_name, std::string_view node) const {
  const auto& limits = settings.limits;
  const auto* hosts = topics.find(topic);
  if (hosts == nullptr && topics.size() >= limits.topics) {
    return beyond("topics, with the new one '" + std::string(topic.substr(0, 64)) + "'", limits.topics,
                  topics.size() + 1);
  }
  const auto* host = hosts == nullptr ? nullptr : hosts->find(host_name);
  const auto of_host = host == nullptr ? 0 : host->rows.size();
  const bool is_there = host != nullptr && (node.empty() ? of_host != 0 : host->resolve(node) != nullptr);
  if (is_there) return {};
  if (of_host >= limits.nodes) return beyond("nodes of host '" + host->host + "'", limits.nodes, of_host + 1);
  std::size_t rows = 0;
  for (const auto& [name, each] : topics) rows += each->table().rows().size();
  if (rows >= limits.rows) return beyond("hosts and nodes of all topics", limits.rows, rows + 1);
  return {};
}

Result<void> Fleet::check_room(std::string_view topic, std::string_view host) const {
  const std::lock_guard lock(state_->mutex);
  return state_->check_row(topic, host, {});
}

Result<void> Fleet::check_room(const ComputeNode& report) const {
  const std::lock_guard lock(state_->mutex);
  const auto& limits = state_->settings.limits;
  if (auto checked = state_->check_row(report.topic, report.host, report.node); !checked) return checked;
  auto keys = report.stats.size();
  auto bytes = json::text_size(report.stats);
  if (keys > limits.report_keys) return beyond("keys of a report of " + of_row(report), limits.report_keys, keys);
  if (bytes > limits.report_bytes) return beyond("bytes of a report of " + of_row(report), limits.report_bytes, bytes);
  const auto* hosts = state_->topics.find(report.topic);
  const auto* host = hosts == nullptr ? nullptr : hosts->find(report.host);
  if (host == nullptr) return {};
  const auto* row = hosts->find_record(report.host, report.node);
  const std::size_t had_keys = row == nullptr ? 0 : row->report_keys;
  const std::size_t had_bytes = row == nullptr ? 0 : row->report_bytes;
  const auto others = host->report_bytes - had_bytes;
  const auto fits = [&] {
    return (keys <= limits.report_keys || keys <= had_keys) &&
           ((bytes <= limits.report_bytes && others + bytes <= limits.host_bytes) || bytes <= had_bytes);
  };
  keys += had_keys;
  bytes += had_bytes;
  if (fits()) return {};
  // Most of the keys may be the same.
  auto merged = row == nullptr ? json::object() : hosts->record(*row).stats;
  merge_report(merged, report.stats);
  keys = merged.size();
  bytes = json::text_size(merged);
  if (fits()) return {};
  if (keys > limits.report_keys) return beyond("keys of " + of_row(report) + ", merged", limits.report_keys, keys);
  if (bytes > limits.report_bytes) return beyond("bytes of " + of_row(report) + ", merged", limits.report_bytes, bytes);
  return beyond("bytes of all nodes of host '" + report.host + "'", limits.host_bytes, others + bytes);
}

Result<void> Fleet::check_room(const Capabilities& capabilities) const {
  auto checked = within("bytes of the capabilities of host '" + capabilities.host + "'",
                        state_->settings.limits.capabilities_bytes, json::text_size(capabilities.capabilities));
  return checked ? check_room(capabilities.topic, capabilities.host) : checked;
}

Result<void> Fleet::check_room_for_aggregates(std::size_t more) const {
  const std::lock_guard lock(state_->mutex);
  return within("aggregates", state_->settings.limits.aggregates, state_->aggregates.size() + more);
}

Result<void> Fleet::check_room_for_group() const {
  const std::lock_guard lock(state_->mutex);
  return within("server groups", state_->settings.limits.groups, state_->groups.size() + 1);
}

Result<void> Fleet::check_room_for_instances(std::size_t more) const {
  const std::lock_guard lock(state_->mutex);
  return within("instances", state_->settings.limits.instances, state_->instances.size() + more);
}

Result<void> Fleet::check_room_for_claims(std::size_t more) const {
  const std::lock_guard lock(state_->mutex);
  return within("claims", state_->settings.limits.claims, state_->claims.size() + more);
}

bool Fleet::has_topic(std::string_view topic) const {
  const std::lock_guard lock(state_->mutex);
  return state_->topics.find(topic) != nullptr;
}

std::vector<std::string> Fleet::topics() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, hosts] : state_->topics) names.push_back(name);
  return names;
}

const FleetLimits& Fleet::limits() const {
  return state_->settings.limits;
}

}  // namespace gantry::fleet
