// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/known_services.hpp"

#include <algorithm>
#include <set>

#include "core/nova/facts/row_reader.hpp"
#include "core/nova/facts/rows_by_id.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

namespace {

const std::string& select_services() {
  static const std::string sql = select_from(services) + " WHERE `binary` = 'nova-compute' AND ";
  return sql;
}

bool is_flagged(const fleet::Service& service) {
  return service.disabled || service.forced_down;
}

bool is_true(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && *number != 0;
}

// The row has the flags behind its id.
bool has_flags(const fleet::Service& service, Row row) {
  const auto* reason = std::get_if<std::string_view>(&row[3]);
  return service.disabled == is_true(row[1]) && service.forced_down == is_true(row[2]) &&
         service.disabled_reason == (reason == nullptr ? std::string_view() : *reason);
}

bool differ_in_more_than_heartbeat(const ServiceFact& a, const ServiceFact& b) {
  return a.service.host != b.service.host || a.service.disabled != b.service.disabled ||
         a.service.disabled_reason != b.service.disabled_reason || a.service.forced_down != b.service.forced_down ||
         a.version != b.version;
}

}  // namespace

ServiceRow read_service(Row values) {
  RowReader row(services, values);
  ServiceRow read;
  read.id = row.id();
  read.host = row.name("host");
  read.is_deleted = row.is_deleted();
  if (read.is_deleted) return read;
  if (read.host.empty()) row.set_fault("host", "expected the name of a host, found none");
  ServiceFact fact;
  fact.id = read.id;
  fact.version = row.integer("version");
  fact.service.topic = "compute";
  fact.service.host = read.host;
  fact.service.binary = row.name("binary");
  fact.service.disabled = row.truth("disabled");
  fact.service.disabled_reason = row.text("disabled_reason");
  fact.service.forced_down = row.truth("forced_down");
  // A service that has never reported counts as heard when its row was made, as in Nova.
  fact.service.last_seen_up = row.time(row.is_null("last_seen_up") ? "created_at" : "last_seen_up");
  fact.service.report_count = static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer("report_count"), 0));
  if (const auto& fault = row.fault()) {
    read.complaints.push_back({.table = std::string(services.name),
                               .id = read.id,
                               .column = fault->column,
                               .reason = fault->reason,
                               .host = read.host,
                               .node = {},
                               .passes_host_over = true});
  } else {
    read.fact = std::move(fact);
  }
  return read;
}

Result<KnownServices::Read> KnownServices::read_all(Connection& connection) const {
  Read read;
  read.is_all = true;
  auto done =
      connection.query(select_services() + "deleted = 0", [&read](Row row) { read.rows.push_back(read_service(row)); });
  if (!done) return std::move(done).error();
  return read;
}

// The flags come first, and a row only if its flags are others than before. A service that was flagged and is not any
// more has been enabled, or removed.
Result<KnownServices::Read> KnownServices::read_changes(Connection& connection, const std::string& since) const {
  const auto is_recent = "created_at >= " + since + " OR deleted_at >= " + since;
  auto unread = flagged_;
  std::vector<std::int64_t> wanted;
  auto done = connection.query("SELECT id, disabled <> 0, forced_down <> 0, disabled_reason, " + is_recent +
                                   " FROM services WHERE (disabled <> 0 OR forced_down <> 0 OR " + is_recent +
                                   ") AND (deleted = 0 OR deleted_at >= " + since + ")",
                               [&](Row row) {
                                 const auto* id = std::get_if<std::int64_t>(&row[0]);
                                 if (id == nullptr) return;
                                 const auto known = known_.find(*id);
                                 const bool is_recent_row = is_true(row[4]);
                                 if (!is_recent_row && known != known_.end() && has_flags(known->second.service, row))
                                   unread.erase(*id);
                                 else
                                   wanted.push_back(*id);
                               });
  if (!done) return std::move(done).error();
  std::set<std::int64_t> asked(wanted.begin(), wanted.end());
  asked.insert(unread.begin(), unread.end());
  Read read;
  done = query_by_id(connection, select_services(), {asked.begin(), asked.end()}, [&](Row row) {
    read.rows.push_back(read_service(row));
    unread.erase(read.rows.back().id);
  });
  if (!done) return std::move(done).error();
  for (const auto id : unread)
    read.rows.push_back({.id = id, .host = {}, .is_deleted = true, .fact = {}, .complaints = {}});
  return read;
}

void KnownServices::remove(std::int64_t id, CellFacts& out) {
  const auto known = known_.find(id);
  if (known == known_.end()) return;
  out.services_gone.push_back(known->second.service.host);
  known_.erase(known);
  flagged_.erase(id);
}

void KnownServices::apply(ServiceRow row, CellFacts& out) {
  if (!row.fact) return remove(row.id, out);
  const auto known = known_.find(row.id);
  if (known == known_.end() || differ_in_more_than_heartbeat(known->second, *row.fact)) {
    if (known != known_.end() && known->second.service.host != row.host) remove(row.id, out);
    out.services.push_back(*row.fact);
  } else if (const auto& now = row.fact->service; now.last_seen_up != known->second.service.last_seen_up ||
                                                  now.report_count != known->second.service.report_count) {
    out.heartbeats.push_back({now.host, now.last_seen_up, now.report_count});
  } else {
    return;
  }
  auto& fact = known_[row.id] = *std::move(row.fact);
  if (is_flagged(fact.service))
    flagged_.insert(row.id);
  else
    flagged_.erase(row.id);
}

// A host whose service was deleted and made again has two rows. The later one stands.
void KnownServices::keep_successors(CellFacts& out) const {
  if (out.services_gone.empty()) return;
  std::set<std::string> gone(out.services_gone.begin(), out.services_gone.end());
  for (const auto& [id, fact] : known_) gone.erase(fact.service.host);
  out.services_gone.assign(gone.begin(), gone.end());
}

void KnownServices::apply(Read read, Complaints& complaints, CellFacts& out) {
  std::set<std::int64_t> present;
  for (auto& row : read.rows) {
    if (read.is_all) present.insert(row.id);
    complaints.take(std::string(services.name), row.id, std::move(row.complaints), out.complaints);
    apply(std::move(row), out);
  }
  if (read.is_all) {
    std::vector<std::int64_t> gone;
    for (const auto& [id, fact] : known_) {
      if (!present.contains(id)) gone.push_back(id);
    }
    for (const auto id : gone) remove(id, out);
  }
  keep_successors(out);
}

}  // namespace gantry::nova
