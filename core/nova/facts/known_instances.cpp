// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/known_instances.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/encoding/uuid.hpp"
#include "core/nova/facts/row_reader.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

namespace {

constexpr std::size_t turns = 12;

const std::string& select_instances() {
  static const std::string sql = select_from(placed_instances) + " WHERE ";
  return sql;
}

Result<void> read_into(Connection& connection, const std::string& where, std::vector<KnownInstances::ReadRow>& rows) {
  return connection.query(select_instances() + where,
                          [&rows](Row row) { rows.push_back(KnownInstances::read_row(row)); });
}

}  // namespace

std::size_t KnownInstances::Hash::operator()(const gantry_uuid& uuid) const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(uuid.bytes), sizeof(uuid.bytes)});
}

bool KnownInstances::Equal::operator()(const gantry_uuid& a, const gantry_uuid& b) const {
  return std::memcmp(a.bytes, b.bytes, sizeof(a.bytes)) == 0;
}

KnownInstances::ReadRow KnownInstances::read_row(Row values) {
  RowReader row(placed_instances, values);
  ReadRow read;
  read.id = row.id();
  const auto uuid = parse_uuid(row.text("uuid"));
  if (uuid)
    read.uuid = *uuid;
  else
    row.set_fault("uuid", "expected a UUID");
  auto host = row.text("host");
  if (!row.is_deleted()) read.host = std::move(host);
  if (const auto& fault = row.fault()) {
    read.complaints.push_back({.table = std::string(placed_instances.name),
                               .id = read.id,
                               .column = fault->column,
                               .reason = fault->reason,
                               .host = read.host,
                               .node = {}});
  }
  return read;
}

Result<KnownInstances::Read> KnownInstances::read_all(Connection& connection) const {
  Read read;
  auto done = read_into(connection, "deleted = 0 AND host IS NOT NULL", read.rows);
  if (!done) return std::move(done).error();
  return read;
}

// A row that was made by hand has no updated_at. Each half of the question has an index of its own.
Result<KnownInstances::Read> KnownInstances::read_changes(Connection& connection, const std::string& since) const {
  Read read;
  auto done = read_into(connection,
                        "deleted = 0 AND created_at >= " + since + " AND updated_at IS NULL UNION ALL " +
                            select_instances() + "updated_at >= " + since,
                        read.rows);
  if (!done) return std::move(done).error();
  return read;
}

Result<void> KnownInstances::read_hosts(Connection& connection, std::span<const std::string> hosts, Read& read) const {
  if (hosts.empty()) return {};
  std::string names;
  for (const auto& host : hosts) {
    names += (names.empty() ? "" : ", ") + connection.quoted(host);
    read.hosts.push_back(host);
  }
  return read_into(connection, "deleted = 0 AND host IN (" + names + ")", read.listed);
}

Result<void> KnownInstances::read_next_hosts(Connection& connection, Read& read) const {
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i < (hosts_.size() + turns - 1) / turns; ++i)
    hosts.push_back(hosts_[(next_ + i) % hosts_.size()].name);
  read.turns = hosts.size();
  return read_hosts(connection, hosts, read);
}

std::vector<std::string> KnownInstances::hosts() const {
  std::vector<std::string> names;
  for (const auto& host : hosts_) names.push_back(host.name);
  return names;
}

std::uint32_t KnownInstances::number_of(const std::string& host) {
  const auto [at, is_new] = numbers_.try_emplace(host, static_cast<std::uint32_t>(hosts_.size()));
  if (is_new) hosts_.push_back({host, {}});
  return at->second;
}

void KnownInstances::take_off(const gantry_uuid& uuid) {
  const auto known = host_of_.find(uuid);
  if (known == host_of_.end()) return;
  auto& instances = hosts_[known->second].instances;
  const auto at = std::find_if(instances.begin(), instances.end(),
                               [&uuid](const gantry_uuid& other) { return Equal()(uuid, other); });
  if (at != instances.end()) {
    *at = instances.back();
    instances.pop_back();
  }
  host_of_.erase(known);
}

void KnownInstances::apply(const ReadRow& row, CellFacts& out) {
  const auto known = host_of_.find(row.uuid);
  if (row.host.empty()) {
    if (known == host_of_.end()) return;
    take_off(row.uuid);
    out.instances_gone.push_back(to_text(row.uuid));
    return;
  }
  const auto number = number_of(row.host);
  if (known != host_of_.end() && known->second == number) return;
  take_off(row.uuid);
  host_of_.emplace(row.uuid, number);
  hosts_[number].instances.push_back(row.uuid);
  out.instances.push_back({to_text(row.uuid), row.host});
}

void KnownInstances::apply_listed(const Read& read, CellFacts& out) {
  std::unordered_set<gantry_uuid, Hash, Equal> present;
  for (const auto& row : read.listed) {
    if (!row.complaints.empty()) continue;
    present.insert(row.uuid);
    apply(row, out);
  }
  for (const auto& host : read.hosts) {
    const auto known = numbers_.find(host);
    if (known == numbers_.end()) continue;
    const auto instances = hosts_[known->second].instances;
    for (const auto& uuid : instances) {
      if (!present.contains(uuid)) apply(ReadRow{0, uuid, {}, {}}, out);
    }
  }
  if (!hosts_.empty()) next_ = (next_ + read.turns) % hosts_.size();
}

void KnownInstances::apply(Read read, Complaints& complaints, CellFacts& out) {
  for (auto* rows : {&read.rows, &read.listed}) {
    for (auto& row : *rows) {
      if (rows == &read.rows && row.complaints.empty()) apply(row, out);
      complaints.take(std::string(placed_instances.name), row.id, row.complaints, out.complaints);
    }
  }
  apply_listed(read, out);
}

}  // namespace gantry::nova
