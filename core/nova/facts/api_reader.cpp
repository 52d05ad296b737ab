// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/api_reader.hpp"

#include <algorithm>

#include "core/nova/facts/row_reader.hpp"
#include "core/nova/facts/tables.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view cell0 = "00000000-0000-0000-0000-000000000000";

// Count, largest id and a sum over the content of the rows. Times would not do: they have whole seconds, and a row of
// these tables that is removed leaves no trace.
std::string sum_of(const Table& table) {
  std::string content;
  for (const auto column : table.columns)
    content += std::string(content.empty() ? "" : ", ") + "QUOTE(`" + std::string(column) + "`)";
  return "(SELECT CONCAT_WS(':', COUNT(*), MAX(id), SUM(CRC32(CONCAT_WS(',', " + content + ")))) FROM `" +
         std::string(table.name) + "`)";
}

Result<void> read_sum(Connection& connection, std::string& sum) {
  static const std::string sql =
      "SELECT " + sum_of(aggregates) + ", " + sum_of(aggregate_hosts) + ", " + sum_of(aggregate_metadata);
  return connection.query(sql, [&sum](Row row) {
    for (const auto& value : row) {
      const auto* text = std::get_if<std::string_view>(&value);
      sum += (text == nullptr ? std::string() : std::string(*text)) + " ";
    }
  });
}

bool is_same(const fleet::Aggregate& a, const fleet::Aggregate& b) {
  return a.uuid == b.uuid && a.name == b.name && a.metadata == b.metadata && a.hosts == b.hosts;
}

bool is_same(const HostMapping& a, const HostMapping& b) {
  return a.host == b.host && a.cell_id == b.cell_id;
}

bool is_same(const Cell& a, const Cell& b) {
  return a.id == b.id && a.uuid == b.uuid && a.name == b.name && a.is_disabled == b.is_disabled &&
         a.connection == b.connection;
}

// Compares two maps, and appends what `now` has new or otherwise, and the keys that it lacks.
template <class Map, class Facts, class Keys>
void compare(const Map& before, const Map& now, Facts& changed, Keys& gone) {
  for (const auto& [key, fact] : now) {
    const auto known = before.find(key);
    if (known == before.end() || !is_same(known->second, fact)) changed.push_back(fact);
  }
  for (const auto& [key, fact] : before) {
    if (!now.contains(key)) gone.push_back(key);
  }
}

// Reads the rows of a table in the order of their ids. `take` gets those that are in order as far as it reads them, and
// returns whether it found a fault.
template <class Take>
Result<void> read_table(Connection& connection, const Table& table, Complaints::ByRow& complaints, Take take) {
  return connection.query(select_from(table) + " ORDER BY id", [&](Row values) {
    RowReader row(table, values);
    const auto id = row.id();
    take(id, row);
    if (const auto& fault = row.fault())
      complaints[{std::string(table.name), id}].push_back({.table = std::string(table.name),
                                                           .id = id,
                                                           .column = fault->column,
                                                           .reason = fault->reason,
                                                           .host = {},
                                                           .node = {}});
  });
}

}  // namespace

Result<void> ApiReader::read_cells(Connection& connection, Known& read, Complaints::ByRow& complaints) {
  return read_table(connection, cell_mappings, complaints, [&read](std::int64_t id, RowReader& row) {
    Cell cell{id, row.text("uuid"), row.text("name"), row.truth("disabled"), row.text("database_connection")};
    if (!row.fault() && cell.uuid != cell0) read.cells.push_back(std::move(cell));
  });
}

Result<void> ApiReader::read_host_mappings(Connection& connection, Known& read, Complaints::ByRow& complaints) {
  return read_table(connection, host_mappings, complaints, [&read](std::int64_t id, RowReader& row) {
    HostMapping mapping{id, row.text("host"), row.integer("cell_id")};
    if (!row.fault()) read.host_mappings.insert_or_assign(mapping.host, mapping);
  });
}

Result<void> ApiReader::read_aggregates(Connection& connection, Known& read, Complaints::ByRow& complaints) {
  auto done = read_table(connection, aggregates, complaints, [&read](std::int64_t id, RowReader& row) {
    fleet::Aggregate aggregate{id, row.text("uuid"), row.text("name"), {}, {}};
    if (!row.fault()) read.aggregates.emplace(id, std::move(aggregate));
  });
  const auto aggregate_of = [&read](RowReader& row) -> fleet::Aggregate* {
    const auto found = read.aggregates.find(row.integer("aggregate_id"));
    return row.fault() || found == read.aggregates.end() ? nullptr : &found->second;
  };
  if (!done) return done;
  done = read_table(connection, aggregate_hosts, complaints, [&](std::int64_t, RowReader& row) {
    auto host = row.text("host");
    auto* aggregate = aggregate_of(row);
    if (aggregate != nullptr && !host.empty()) aggregate->hosts.push_back(std::move(host));
  });
  if (!done) return done;
  return read_table(connection, aggregate_metadata, complaints, [&](std::int64_t, RowReader& row) {
    auto key = row.text("key");
    auto value = row.text("value");
    if (auto* aggregate = aggregate_of(row)) aggregate->metadata[std::move(key)] = std::move(value);
  });
}

Result<void> ApiReader::read(Connection& connection, bool is_whole, Known& read, Complaints::ByRow& complaints) const {
  auto done = read_sum(connection, read.aggregates_sum);
  if (done && is_whole) done = read_cells(connection, read, complaints);
  if (done && is_whole) done = read_host_mappings(connection, read, complaints);
  if (done && (is_whole || read.aggregates_sum != known_.aggregates_sum))
    done = read_aggregates(connection, read, complaints);
  return done;
}

ApiFacts ApiReader::apply(Known read, bool is_whole, Complaints::ByRow complaints) {
  ApiFacts facts;
  const bool has_aggregates = is_whole || read.aggregates_sum != known_.aggregates_sum;
  std::set<std::string> tables;
  for (const auto& table : api_tables) {
    if (has_aggregates && (is_whole || table.name.starts_with("aggregate"))) tables.emplace(table.name);
  }
  complaints_.take(tables, std::move(complaints), facts.complaints);
  if (has_aggregates) {
    compare(known_.aggregates, read.aggregates, facts.aggregates, facts.aggregates_gone);
    known_.aggregates = std::move(read.aggregates);
    known_.aggregates_sum = std::move(read.aggregates_sum);
  }
  if (!is_whole) return facts;
  compare(known_.host_mappings, read.host_mappings, facts.host_mappings, facts.host_mappings_gone);
  known_.host_mappings = std::move(read.host_mappings);
  const auto are_same = [](const Cell& a, const Cell& b) { return is_same(a, b); };
  facts.has_cells = !is_loaded_ || !std::equal(read.cells.begin(), read.cells.end(), known_.cells.begin(),
                                               known_.cells.end(), are_same);
  if (facts.has_cells) facts.cells = read.cells;
  known_.cells = std::move(read.cells);
  is_loaded_ = true;
  return facts;
}

Result<ApiFacts> ApiReader::load(Connection& connection) {
  Known now;
  Complaints::ByRow complaints;
  auto done = connection.in_snapshot([&] { return read(connection, true, now, complaints); });
  if (!done) return std::move(done).error();
  known_ = {};
  is_loaded_ = false;
  return apply(std::move(now), true, std::move(complaints));
}

Result<ApiFacts> ApiReader::refresh(Connection& connection, Depth depth) {
  if (!is_loaded_)
    return Error{ErrorCode::failed_precondition, "database " + connection.place() + ": nothing is loaded yet", {}};
  Known now;
  Complaints::ByRow complaints;
  const bool is_whole = depth == Depth::whole;
  auto done = connection.in_snapshot([&] { return read(connection, is_whole, now, complaints); });
  if (!done) return std::move(done).error();
  return apply(std::move(now), is_whole, std::move(complaints));
}

Result<DatabaseUrl> url_of(const Cell& cell, std::string_view database_connection) {
  const auto what = "cell '" + cell.name + "' (" + cell.uuid + ")";
  auto filled = filled_url(cell.connection, database_connection);
  if (!filled) return std::move(filled).error().within(what);
  auto url = parse_database_url(*filled);
  if (!url) return std::move(url).error().within(what);
  return url;
}

}  // namespace gantry::nova
