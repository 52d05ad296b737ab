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
constexpr std::string_view image_prefix = "image_";

const std::string& select_instances() {
  static const std::string sql = select_from(placed_instances) + " WHERE ";
  return sql;
}

Result<void> read_into(Connection& connection, const std::string& where, std::vector<KnownInstances::ReadRow>& rows) {
  return connection.query(select_instances() + where,
                          [&rows](Row row) { rows.push_back(KnownInstances::read_row(row)); });
}

// Never 0 for properties that were read.
std::size_t hash_of(const std::optional<json::object>& image) {
  return image ? std::hash<std::string>()(json::write_canonical(*image)) | 1U : 0;
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
  auto host = row.name("host");
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

namespace {

using RowsByUuid = std::unordered_map<std::string, std::vector<KnownInstances::ReadRow*>>;

void take_metadata(Row values, const RowsByUuid& by_uuid) {
  RowReader row(system_metadata, values);
  const auto found = by_uuid.find(row.text("instance_uuid"));
  const auto key = row.text("key");
  const auto value = row.text("value");
  if (found == by_uuid.end() || row.fault() || row.is_null("value")) return;
  const auto name = std::string_view(key).substr(image_prefix.size());
  for (auto* const read : found->second) read->image->insert_or_assign(name, value);
}

}  // namespace

Result<void> KnownInstances::read_images(Connection& connection, Read& read) {
  constexpr std::size_t at_once = 500;
  std::vector<ReadRow*> rows;
  for (auto* list : {&read.rows, &read.listed}) {
    for (auto& row : *list) {
      if (!row.host.empty() && row.complaints.empty()) rows.push_back(&row);
    }
  }
  for (std::size_t begin = 0; begin < rows.size(); begin += at_once) {
    const std::span some(rows.data() + begin, std::min(at_once, rows.size() - begin));
    std::string uuids;
    RowsByUuid by_uuid;  // a row may have been read twice
    for (auto* row : some) {
      auto uuid = to_text(row->uuid);
      uuids += (uuids.empty() ? "'" : ", '") + uuid + "'";
      row->image.emplace();
      by_uuid[std::move(uuid)].push_back(row);
    }
    auto done = connection.query(select_from(system_metadata) + " WHERE instance_uuid IN (" + uuids +
                                     ") AND LEFT(`key`, 6) = 'image_' ORDER BY id",
                                 [&by_uuid](Row values) { take_metadata(values, by_uuid); });
    if (done) continue;
    for (auto* row : rows) row->image.reset();
    return done;
  }
  return {};
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
  const auto known = place_of_.find(uuid);
  if (known == place_of_.end()) return;
  auto& instances = hosts_[known->second.host].instances;
  const auto at = std::find_if(instances.begin(), instances.end(),
                               [&uuid](const gantry_uuid& other) { return Equal()(uuid, other); });
  if (at != instances.end()) {
    *at = instances.back();
    instances.pop_back();
  }
  place_of_.erase(known);
}

void KnownInstances::apply(const ReadRow& row, CellFacts& out) {
  const auto known = place_of_.find(row.uuid);
  if (row.host.empty()) {
    if (known == place_of_.end()) return;
    take_off(row.uuid);
    out.instances_gone.push_back(to_text(row.uuid));
    return;
  }
  Place place{number_of(row.host), hash_of(row.image)};
  if (known != place_of_.end() && known->second.host == place.host) {
    if (!row.image || known->second.image == place.image) return;
    known->second = place;
  } else {
    take_off(row.uuid);
    place_of_.emplace(row.uuid, place);
    hosts_[place.host].instances.push_back(row.uuid);
  }
  out.instances.push_back({to_text(row.uuid), row.host, row.image});
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
      if (!present.contains(uuid)) apply(ReadRow{0, uuid, {}, {}, {}}, out);
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
