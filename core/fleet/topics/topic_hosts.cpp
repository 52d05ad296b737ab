// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/topics/topic_hosts.hpp"

#include <algorithm>
#include <utility>

#include "core/fleet/cells/cell_values.hpp"

namespace gantry::fleet {

namespace {

auto row_position(const HostEntry& host, std::string_view node) {
  return std::lower_bound(host.rows.begin(), host.rows.end(), node,
                          [](const auto& row, std::string_view wanted) { return row->node < wanted; });
}

RowState* row_of_node(const HostEntry& host, std::string_view node) {
  const auto at = row_position(host, node);
  return at != host.rows.end() && (*at)->node == node ? at->get() : nullptr;
}

}  // namespace

RowState* HostEntry::resolve(std::string_view node) const {
  if (rows.empty()) return nullptr;
  if (node.empty()) return rows.front().get();
  if (auto* exact = row_of_node(*this, node)) return exact;
  // A host that has not reported its nodes yet: what names one will stand there once it has.
  return rows.size() == 1 && !rows.front()->reported ? rows.front().get() : nullptr;
}

TopicHosts::TopicHosts(std::string topic, const Surroundings& surroundings, std::shared_ptr<const Schema> schema)
    : topic_(std::move(topic)),
      surroundings_(surroundings),
      table_(topic_, std::move(schema), topic_ == compute_topic),
      claims_columns_{{"vcpu", position_of(CoreColumn::claims_vcpu)},
                      {"memory_mb", position_of(CoreColumn::claims_memory_mb)},
                      {"disk_gb", position_of(CoreColumn::claims_disk_gb)},
                      {"instances", position_of(CoreColumn::claims_instances)}} {}

HostEntry* TopicHosts::find(std::string_view host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? nullptr : found->second.get();
}

HostEntry& TopicHosts::entry(std::string_view host) {
  if (auto* found = find(host)) return *found;
  auto made = std::make_unique<HostEntry>();
  made->host = host;
  const std::string_view key = made->host;
  return *hosts_.emplace(key, std::move(made)).first->second;
}

void TopicHosts::forget_if_empty(HostEntry& host) {
  if (!host.empty()) return;
  // Keys point into the entry: it must outlive its place in the map.
  const auto node = hosts_.extract(host.host);
}

RowState& TopicHosts::add_row(HostEntry& host, std::string_view node) {
  auto made = std::make_unique<RowState>();
  made->host = &host;
  made->node = node;
  auto& row = **host.rows.insert(row_position(host, node), std::move(made));
  table_.add_row(row);
  show_row(row);
  return row;
}

void TopicHosts::remove_row(RowState& row) {
  auto& host = *row.host;
  for (const auto& instance : row.instances) table_.placement_changed(instance);
  for (auto* claim : row.claims.all()) claim->row = nullptr;
  table_.remove_row(row);
  host.rows.erase(row_position(host, row.node));
}

void TopicHosts::rename_row(RowState& row, std::string_view node) {
  // Only ever the host's one row, so the order of rows holds.
  row.node = node;
  table_.rename_row(row);
  show_row(row);
}

RowState& TopicHosts::row_for_record(HostEntry& host, std::string_view node) {
  if (auto* found = row_of_node(host, node)) {
    if (!std::exchange(found->reported, true)) place_all(host);
    return *found;
  }
  RowState* row = nullptr;
  if (host.rows.size() == 1 && !host.rows.front()->reported) {
    row = host.rows.front().get();
    rename_row(*row, node);
  } else {
    row = &add_row(host, node);
  }
  row->reported = true;
  place_all(host);
  return *row;
}

void TopicHosts::remove_record(RowState& row) {
  auto& host = *row.host;
  set_record(row, nullptr, nullptr);
  row.reported = false;
  if (host.rows.size() == 1 && host.exists()) {
    if (!row.node.empty()) rename_row(row, {});
  } else {
    remove_row(row);
  }
  place_all(host);
}

RowState* TopicHosts::find_record(std::string_view host, std::string_view node) const {
  const auto* entry = find(host);
  auto* row = entry ? row_of_node(*entry, node) : nullptr;
  return row && row->reported ? row : nullptr;
}

void TopicHosts::settle(HostEntry& host) {
  if (host.exists() && host.rows.empty()) {
    add_row(host, {});
    place_all(host);
  } else if (!host.exists() && host.rows.size() == 1 && !host.rows.front()->reported) {
    remove_row(*host.rows.front());
    place_all(host);
  }
}

void TopicHosts::set_service(HostEntry& host, std::unique_ptr<Service> service) {
  host.service = std::move(service);
  settle(host);
  show_service(host);
}

void TopicHosts::set_capabilities(HostEntry& host, TextPointer capabilities, Nanoseconds updated_at) {
  host.capabilities = std::move(capabilities);
  host.capabilities_updated_at = updated_at;
  settle(host);
  show_capabilities(host);
}

}  // namespace gantry::fleet
