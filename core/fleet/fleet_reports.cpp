// SPDX-License-Identifier: Apache-2.0
//
// Compute node reports: merged over what was known, and the claims that they end.
#include <array>
#include <set>

#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/fleet_state.hpp"
#include "core/fleet/topics/report_merging.hpp"

namespace gantry::fleet {

namespace {

// Nova keeps these as JSON inside of text.
constexpr std::array<std::string_view, 6> nested_texts{
    "cpu_info", "supported_instances", "pci_stats", "numa_topology", "metrics", "stats"};
// What is deeper stays text: it will stand inside of other documents.
constexpr std::size_t nested_depth = 32;

Nanoseconds begin_of_second(Nanoseconds time) {
  constexpr Nanoseconds second = 1'000'000'000;
  return time - (time % second);
}

void unfold(json::object& stats) {
  for (const auto key : nested_texts) {
    auto* value = stats.if_contains(key);
    if (value == nullptr || !value->is_string()) continue;
    auto parsed = json::parse(std::string_view(value->get_string()), nested_depth);
    if (parsed && (parsed->is_object() || parsed->is_array())) {
      *value = std::move(*parsed);
    } else if (parsed && parsed->is_null()) {
      *value = nullptr;
    }
  }
}

std::set<std::string> listed_consumers(const json::object& stats) {
  std::set<std::string> listed;
  const auto* instances = json::find_array(stats, "instances");
  if (instances == nullptr) return listed;
  for (const auto& id : *instances) {
    if (id.is_string()) listed.insert(consumer_key(std::string_view(id.get_string())));
  }
  return listed;
}

}  // namespace

std::optional<ComputeNode> Fleet::put_compute_node(const ComputeNode& report, ComputeNode& merged,
                                                   ClaimChanges& changes) {
  auto news = report.stats;
  unfold(news);
  const std::lock_guard lock(state_->mutex);
  auto& hosts = state_->topics.topic(report.topic);
  auto& host = hosts.entry(report.host);
  std::optional<ComputeNode> before;
  if (const auto* known = hosts.find_record(report.host, report.node)) before = hosts.record(*known);
  auto& row = hosts.row_for_record(host, report.node);
  merged = {report.topic, report.host, report.node, {}, report.sampled_at, report.updated_at};
  if (before) merged.stats = before->stats;
  merge_report(merged.stats, news);
  row.sampled_at = report.sampled_at;
  row.updated_at = report.updated_at;
  hosts.set_record(row, &merged.stats, before ? &news : nullptr);
  if (state_->facts_since != 0) hosts.show_up(host);
  state_->end_reported_claims(report, row, changes);
  return before;
}

void Fleet::State::end_reported_claims(const ComputeNode& report, const RowState& row, ClaimChanges& changes) {
  if (row.claims.all().empty()) return;
  const auto listed = listed_consumers(report.stats);
  const auto candidates = row.claims.all();
  for (auto* claim : candidates) {
    bool over = listed.contains(claim->consumer_key);
    if (!over && claim->uuid) {
      const auto* instance = find_instance(*claim->uuid);
      // An instance that runs elsewhere is not in this host's use yet.
      over = instance != nullptr && instance->active_at != 0 && report.sampled_at > instance->active_at &&
             view_of(instance->host) == row.host->host;
    }
    if (over) claims.end_reported(*claim, changes);
  }
}

void Fleet::end_shown_claims(std::string_view topic, std::string_view host_name, ClaimChanges& changes) {
  const std::lock_guard lock(state_->mutex);
  const auto* host = state_->topics.find_host(topic, host_name);
  if (host == nullptr || host->claims.empty()) return;
  const auto claims = host->claims;
  for (auto* claim : claims) {
    if (claim->state != ClaimState::held || claim->row == nullptr || !claim->uuid) continue;
    const auto* instance = state_->find_instance(*claim->uuid);
    const bool is_here = instance != nullptr && view_of(instance->host) == host_name;
    if (is_here && claim->row->updated_at >= begin_of_second(claim->claim.created_at))
      state_->claims.end_reported(*claim, changes);
  }
}

std::optional<ComputeNode> Fleet::remove_compute_node(std::string_view topic, std::string_view host_name,
                                                      std::string_view node) {
  const std::lock_guard lock(state_->mutex);
  auto* hosts = state_->topics.find(topic);
  auto* row = hosts ? hosts->find_record(host_name, node) : nullptr;
  if (row == nullptr) return std::nullopt;
  std::optional<ComputeNode> before = hosts->record(*row);
  auto& host = *row->host;
  hosts->remove_record(*row);
  hosts->forget_if_empty(host);
  return before;
}

void Fleet::restore_compute_node(const ComputeNode& node) {
  auto stats = node.stats;
  unfold(stats);
  const std::lock_guard lock(state_->mutex);
  auto& hosts = state_->topics.topic(node.topic);
  auto& row = hosts.row_for_record(hosts.entry(node.host), node.node);
  row.sampled_at = node.sampled_at;
  row.updated_at = node.updated_at;
  hosts.set_record(row, &stats, nullptr);
}

void Fleet::restore_report_times(std::string_view topic, std::string_view host, std::string_view node,
                                 Nanoseconds sampled_at, Nanoseconds updated_at) {
  const std::lock_guard lock(state_->mutex);
  auto* hosts = state_->topics.find(topic);
  auto* row = hosts ? hosts->find_record(host, node) : nullptr;
  if (row != nullptr && row->updated_at < updated_at) hosts->set_report_times(*row, sampled_at, updated_at);
}

}  // namespace gantry::fleet
