// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

constexpr std::uint32_t at(CoreColumn column) {
  return position_of(column);
}

// A column of use or of what is free, what claims do to it, and where the reported number is kept.
struct UseColumn {
  CoreColumn column;
  std::string_view resource;
  double sign;
};

constexpr std::array<UseColumn, 5> use_columns{{
    {CoreColumn::vcpus_used, "vcpu", 1},
    {CoreColumn::memory_mb_used, "memory_mb", 1},
    {CoreColumn::local_gb_used, "disk_gb", 1},
    {CoreColumn::free_ram_mb, "memory_mb", -1},
    {CoreColumn::free_disk_gb, "disk_gb", -1},
}};

// Cells are always finite, whatever was claimed.
double finite(double number) {
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(number, -largest, largest);
}

std::optional<std::string_view> unless_empty(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<std::int64_t> unless_never(Nanoseconds time) {
  if (time == 0) return std::nullopt;
  return time;
}

}  // namespace

bool TopicHosts::is_up(const HostEntry& host) const {
  return host.service != nullptr && !host.service->forced_down && host.heard_at != 0 &&
         surroundings_.fresh->holds(host.heard_at) && !is_outdated(host);
}

bool TopicHosts::is_outdated(const HostEntry& host) const {
  const auto since = *surroundings_.facts_since;
  if (since == 0) return false;
  if (host.service != nullptr && host.service->last_seen_up < since) return true;
  return std::ranges::any_of(host.rows, [since](const auto& row) { return row->reported && row->updated_at < since; });
}

void TopicHosts::show_row(const RowState& row) {
  table_.set_text(row, at(CoreColumn::host), row.host->host);
  table_.set_text(row, at(CoreColumn::hypervisor_hostname), unless_empty(row.node));
  show_service_on(row);
  table_.set_json(row, at(CoreColumn::capabilities), row.host->capabilities);
  show_zone_on(row, zone_of(*row.host));
  show_ratios(row, {});
  if (images_at_) table_.set_json(row, *images_at_, row.host->image_properties);
}

void TopicHosts::show_service_on(const RowState& row) {
  const auto* service = row.host->service.get();
  table_.set_bool(row, at(CoreColumn::up), is_up(*row.host));
  table_.set_bool(row, at(CoreColumn::disabled), service != nullptr && service->disabled);
  table_.set_bool(row, at(CoreColumn::forced_down), service != nullptr && service->forced_down);
  std::optional<std::string_view> reason;
  std::optional<std::int64_t> last_seen;
  if (service != nullptr) {
    reason = unless_empty(service->disabled_reason);
    last_seen = unless_never(service->last_seen_up);
  }
  table_.set_text(row, at(CoreColumn::disabled_reason), reason);
  table_.set_i64(row, at(CoreColumn::last_seen_up), last_seen);
}

void TopicHosts::show_service(const HostEntry& host) {
  for (const auto& row : host.rows) show_service_on(*row);
}

void TopicHosts::show_up(const HostEntry& host) {
  const bool up = is_up(host);
  for (const auto& row : host.rows) table_.set_bool(*row, at(CoreColumn::up), up);
}

void TopicHosts::show_capabilities(const HostEntry& host) {
  for (const auto& row : host.rows) table_.set_json(*row, at(CoreColumn::capabilities), host.capabilities);
}

std::string_view TopicHosts::zone_of(const HostEntry& host) const {
  if (host.zoned.empty()) return surroundings_.settings->default_availability_zone;
  return zone_in(*surroundings_.aggregates->at(host.zoned.front()));
}

void TopicHosts::show_zone_on(const RowState& row, std::string_view zone) {
  table_.set_text(row, at(CoreColumn::availability_zone), zone);
}

void TopicHosts::show_zone(const HostEntry& host) {
  const auto zone = zone_of(host);
  for (const auto& row : host.rows) show_zone_on(*row, zone);
}

void TopicHosts::show_aggregates(const HostEntry& host) {
  for (const auto& row : host.rows) table_.aggregates_changed(*row);
  show_zone(host);
}

void TopicHosts::show_claims(const RowState& row) {
  for (const auto& [resource, position] : claims_columns_)
    table_.set_f64(row, position, finite(row.claims.held(resource)));
  show_use(row);
}

void TopicHosts::show_use(const RowState& row) {
  for (std::size_t column = 0; column < use_columns.size(); ++column) {
    const auto& use = use_columns[column];
    std::optional<double> value;
    if (!std::isnan(row.use[column])) value = finite(row.use[column] + use.sign * row.claims.held(use.resource));
    table_.set_f64(row, at(use.column), value);
  }
}

void TopicHosts::add_claims_column(std::string_view resource) {
  // A name that a driver takes from its requests must not make columns without end: the claim holds without one.
  if (claims_columns_.size() >= surroundings_.settings->limits.claimed_resources) return;
  for (const auto& [known, position] : claims_columns_) {
    if (known == resource) return;
  }
  std::string name(claims_prefix);
  name.append(resource);
  const auto position = table_.add_column({std::move(name), GANTRY_TYPE_F64, false});
  claims_columns_.emplace_back(resource, position);
}

}  // namespace gantry::fleet
